/* SPDX-License-Identifier: Apache-2.0 */
#include "client/derive/includes.h"
#include "client/transform/source/source.h"

enum status
includes_check(const char *path, const char *text, struct fault *why)
{
	static const struct source_files	none = { NULL, 0 };

	return source_check_includes(path, text, &none, why);
}
