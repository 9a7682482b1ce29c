/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "daemon/store/migrations.h"

#define EMBED(symbol, path)							\
	__asm__(".pushsection .rodata\n" #symbol ": .incbin \"" path "\"\n"	\
	    ".byte 0\n.popsection\n");						\
	extern const char symbol[] __attribute__((visibility("hidden")))

EMBED(migration_001, "schema/001-init.sql");
EMBED(migration_002, "schema/002-host.sql");
EMBED(migration_003, "schema/003-estimators.sql");
EMBED(migration_004, "schema/004-quiet.sql");
EMBED(migration_005, "schema/005-estimator-column.sql");
EMBED(migration_006, "schema/006-cells.sql");

const char *const	migrations[] = {
	migration_001, migration_002, migration_003, migration_004, migration_005,
	migration_006, NULL
};
