/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_CHANCE_H
#define ASSAY_WORKER_RUNNER_CHANCE_H

/*
 * Children of one template would be alike: the same addresses, and often the same physical pages in
 * the same order, since each gets those that the last one returned.  An application's processes
 * differ in both, and so do their times (Mytkowicz and others, "Producing wrong data without doing
 * anything obviously wrong!", section 4).  So a child draws them anew before it loads anything: a
 * gap of some pages shifts the mappings to come, and some pages that it keeps shuffle the rest.
 * Nothing else of the child depends on it; without memory nothing is drawn.
 */
void	 rt_chance_draw(void);

#endif
