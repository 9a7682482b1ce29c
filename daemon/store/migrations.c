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
EMBED(migration_007, "schema/007-counters.sql");
EMBED(migration_008, "schema/008-indexes.sql");
EMBED(migration_009, "schema/009-cancel.sql");
EMBED(migration_010, "schema/010-queue.sql");
EMBED(migration_011, "schema/011-sums.sql");
EMBED(migration_012, "schema/012-zeros.sql");
EMBED(migration_013, "schema/013-finished.sql");
EMBED(migration_014, "schema/014-identity.sql");
EMBED(migration_015, "schema/015-arrivals.sql");
EMBED(migration_016, "schema/016-yardsticks.sql");
EMBED(migration_017, "schema/017-pauses.sql");
EMBED(migration_018, "schema/018-spec-jobs.sql");
EMBED(migration_019, "schema/019-counting.sql");
EMBED(migration_020, "schema/020-quotas.sql");
EMBED(migration_021, "schema/021-corrections.sql");
EMBED(migration_022, "schema/022-visibility.sql");
EMBED(migration_023, "schema/023-notifications.sql");
EMBED(migration_024, "schema/024-sweep-list.sql");
EMBED(migration_025, "schema/025-points.sql");
EMBED(migration_026, "schema/026-readers.sql");
EMBED(migration_027, "schema/027-points.sql");
EMBED(migration_028, "schema/028-repeats.sql");

const char *const	migrations[] = {
	migration_001, migration_002, migration_003, migration_004, migration_005,
	migration_006, migration_007, migration_008, migration_009, migration_010,
	migration_011, migration_012, migration_013, migration_014,
	migration_015, migration_016, migration_017, migration_018, migration_019,
	migration_020, migration_021, migration_022, migration_023, migration_024, migration_025,
	migration_026, migration_027, migration_028,
	NULL
};
