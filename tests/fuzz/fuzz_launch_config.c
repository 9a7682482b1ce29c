/* SPDX-License-Identifier: Apache-2.0 */
/* Configuration files of MicroLauncher: options with a name and a line, or a refusal with a place. */
#include <jansson.h>

#include "client/micro/read/launch_config.h"
#include "tests/fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fault	 why = { .text = "" };
	json_t		*options, *option;
	size_t		 i;

	if (launch_config_parse("c.xml", (const char *)data, size, &options, &why) != ST_OK) {
		must(why.text[0] != '\0' && why.member[0] != '\0');
		return 0;
	}
	must(json_array_size(options) <= LAUNCH_CONFIG_MAX_OPTIONS);
	json_array_foreach(options, i, option) {
		must(json_string_length(json_object_get(option, "name")) > 0);
		must(json_integer_value(json_object_get(option, "line")) > 0);
	}
	json_decref(options);
	return 0;
}
