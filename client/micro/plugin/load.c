/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "client/micro/plugin/assay-micro.h"
#include "client/micro/plugin/load.h"

/* The entry and the version that a plugin was made for. */
typedef int	 entry_fn(struct micro *);

static enum status
check_version(void *library, const char *file, struct fault *why)
{
	const unsigned	*version = dlsym(library, "assay_micro_plugin_version");

	if (version == NULL)
		return fault_at(why, ST_BAD_SPEC, file, "it has no assay_micro_plugin_version");
	if (*version == ASSAY_MICRO_VERSION)
		return ST_OK;
	(void)fault_at(why, ST_BAD_SPEC, file, "it was made for version %u of assay-micro.h, and "
	    "this is %u", *version, ASSAY_MICRO_VERSION);
	fault_hint(why, "compile it again");
	return ST_BAD_SPEC;
}

/* Of a name without a slash, dlopen would search the system's folders. */
static void *
open_library(const char *file)
{
	char	path[4096];
	int	n = snprintf(path, sizeof path, "%s%s", strchr(file, '/') != NULL ? "" : "./",
		    file);

	return n > 0 && (size_t)n < sizeof path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

enum status
plugin_load(const char *file, struct micro *m, struct fault *why)
{
	void		*library = open_library(file), *symbol;
	entry_fn	*entry;
	const char	*words = library == NULL ? dlerror() : NULL;
	enum status	 st;
	int		 answer;

	if (library == NULL)
		return fault_at(why, ST_BAD_SPEC, file, "it cannot be loaded: %s",
		    words != NULL ? words : "its name is too long");
	if ((st = check_version(library, file, why)) != ST_OK)
		return st;
	if ((symbol = dlsym(library, "assay_micro_plugin")) == NULL)
		return fault_at(why, ST_BAD_SPEC, file, "it has no function assay_micro_plugin");
	memcpy(&entry, &symbol, sizeof entry);
	if ((answer = entry(m)) != 0)
		return fault_at(why, ST_BAD_SPEC, file, "its assay_micro_plugin returned %d",
		    answer);
	return ST_OK;
}
