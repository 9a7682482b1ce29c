/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_STORE_MIGRATIONS_H
#define ASSAY_DAEMON_STORE_MIGRATIONS_H

/*
 * The text of schema/NNN-*.sql, oldest first, NULL-terminated; a database's user_version counts
 * those it has seen.
 */
extern const char *const	migrations[];

#endif
