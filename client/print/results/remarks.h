/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PRINT_RESULTS_REMARKS_H
#define ASSAY_CLIENT_PRINT_RESULTS_REMARKS_H

#include <jansson.h>

/* Remarks on standard error about what a reply has beside its results. */

/*
 * The members `drift` and `correction` of a sweep, or of its best: how far the host went, and
 * whether the ranking is corrected for that, by how much, and where not.
 */
void		 remarks_drift(const json_t *reply);

/* `damaged`: results that are left out. */
void		 remarks_damaged(const json_t *reply);

/* The same of a page, and its `ranked_by`. */
void		 remarks_page(const json_t *reply);
/* What the remarks of several pages are about; both are objects. */
void		 remarks_collect(json_t *all, const json_t *reply);

#endif
