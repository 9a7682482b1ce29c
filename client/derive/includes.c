/* SPDX-License-Identifier: Apache-2.0 */
#include "client/derive/includes.h"
#include "client/transform/source.h"

enum status
includes_check(const char *path, const char *text, struct fault *why)
{
	return source_check_includes(path, text, why);
}
