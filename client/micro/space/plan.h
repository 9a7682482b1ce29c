/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_SPACE_PLAN_H
#define ASSAY_CLIENT_MICRO_SPACE_PLAN_H

#include "client/micro/model/micro.h"

/*
 * Take a program's number apart: each kernel and instruction of its copy of the description gets
 * its own.  The last statement changes with each number, the first one most slowly.
 */
enum status	 program_plan(struct program *, struct fault *);

#endif
