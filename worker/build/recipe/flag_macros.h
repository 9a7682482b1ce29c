/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_RECIPE_FLAG_MACROS_H
#define ASSAY_WORKER_BUILD_RECIPE_FLAG_MACROS_H

#include "proto/spec/spec.h"

/*
 * Macros among a variant's flags, "-DNAME" and "-DNAME=text", become its defines: so those that are
 * given one way have the objects of the other, and may be built in units.  They stay flags where
 * their order may matter, or a name may be one that headers ask for: one begins with an underline,
 * is there twice, or is undefined.
 */
void		 flag_macros_take(struct variant *);

#endif
