/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_HOST_FITNESS_H
#define ASSAY_CLIENT_CMD_HOST_FITNESS_H

#include <jansson.h>

/*
 * How fit a host is for timing, for people: host.get's `fitness`, a report of assay-hostd's making.
 */

void		 host_fitness_print_grade(const json_t *fitness);	/* one line, for a table of the host's members */

/* "3 warnings: what is amiss" and the warnings, a sentence a line; nothing when there are none. */
void		 host_fitness_print_sentences(const json_t *sentences, const char *noun,
		    const char *about);

/*
 * Why it is no better, and the knobs that are not as they should be, each with its remedy; nothing
 * when all is well.
 */
void		 host_fitness_print_remedies(const json_t *fitness);

#endif
