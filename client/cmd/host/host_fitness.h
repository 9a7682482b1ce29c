/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_HOST_HOST_FITNESS_H
#define ASSAY_CLIENT_CMD_HOST_HOST_FITNESS_H

#include <jansson.h>

/* A host's fitness for timing, for people: `fitness` of host.get, a report of assay-hostd. */

void		 host_fitness_print_grade(const json_t *fitness);	/* one line */

/* "3 warnings: about", and a line for each sentence; nothing without sentences. */
void		 host_fitness_print_sentences(const json_t *sentences, const char *noun,
		    const char *about);

/* Reasons for the grade, and wrong knobs with their remedies; nothing if all is well. */
void		 host_fitness_print_remedies(const json_t *fitness);

#endif
