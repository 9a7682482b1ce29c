/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "daemon/web/files.h"

#define TEXT(symbol, path)							\
	__asm__(".pushsection .rodata\n.globl " #symbol "\n.hidden " #symbol "\n"	\
	    #symbol ": .incbin \"" path "\"\n.byte 0\n.popsection\n")
#define SCRIPT(name)								\
	TEXT(files_##name, "daemon/web/page/" #name ".js");			\
	extern const char files_##name[] __attribute__((visibility("hidden")))

TEXT(files_page, "daemon/web/page/index.html");
TEXT(files_style, "daemon/web/page/assay.css");
TEXT(files_early, "daemon/web/page/early.js");
TEXT(files_icon, "daemon/web/page/icon.svg");
SCRIPT(base);
SCRIPT(data);
SCRIPT(space);
SCRIPT(draw);
SCRIPT(curve);
SCRIPT(now);
SCRIPT(people);
SCRIPT(sweep);
SCRIPT(result);
SCRIPT(history);
SCRIPT(main);

const char *const	files_scripts[] = {
	files_base, files_data, files_space, files_draw, files_curve, files_now, files_people,
	files_sweep, files_result, files_history, files_main, NULL
};
