/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PRINT_RESULTS_ESTIMATE_H
#define ASSAY_CLIENT_PRINT_RESULTS_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

/* `position`, `eta_s` and `eta` of a reply, in words for people. */
enum { ESTIMATE_WORDS_BYTES = 128 };

/* "about 3 min", "after 2026-01-31 22:00:00", "paused"; "": nothing is to come. */
char		*estimate_time(const json_t *reply, char *buf);
/* "about 3 min; 41 jobs before OF"; "": nothing is to come. */
char		*estimate_words(const json_t *reply, const char *of, char *buf);
/* "5 s", "3 min", "2.5 h", "4 days" */
char		*estimate_duration(double seconds, char *buf, size_t bytes);

#endif
