/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PRINT_FORMAT_H
#define ASSAY_CLIENT_PRINT_FORMAT_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Numbers and words for people.  Each writes into a buffer of FORMAT_BYTES and returns it.  A
 * number that is not finite is "-".  UTF-8 appears only where the locale has it.
 */
enum { FORMAT_BYTES = 32 };

void		 format_init(void);	/* take the locale; without this all is ASCII */
bool		 format_is_utf8(void);

char		*format_number(double, char *buf);		/* "0.1235", "12.34", "123457" */
char		*format_duration_ns(double ns, char *buf);	/* "12.34 ns" … "1.500 s" */
char		*format_percent(double fraction, char *buf);	/* 0.0123: "1.2 %" */
char		*format_ratio(double, char *buf);	/* "2.31x" */
char		*format_bytes(double, char *buf);	/* "32 KiB", "1.5 MiB" */
char		*format_hz(double, char *buf);		/* "2.100 GHz" */
char		*format_time(double unix_s, char *buf);	/* "2026-01-31 12:00:00", local */

/* "CPU 1", "CPUs 4-7"; "" without one.  The buffer has FORMAT_CPUS_BYTES. */
enum { FORMAT_CPUS_BYTES = 128 };
char		*format_cpus(const cpu_set_t *, char *buf);

/*
 * Make text safe for a terminal.  Control characters and such as reorder or hide text become '?',
 * tabs a space; newlines stay if `lines`.  In place, never longer; returns it.
 */
char		*format_clean(char *text, bool lines);
/* A copy in one line, with \u202e for what reorders or hides text; owned.  NULL: no memory. */
char		*format_shown(const char *text);

size_t		 format_width(const char *);		/* columns on a terminal */
size_t		 format_cut(const char *, size_t columns);	/* bytes that fit */

#endif
