/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_APPS_APP_H
#define BENCH_APPS_APP_H

#include <stddef.h>
#include <stdint.h>

/*
 * An application around one routine: it works on several places, one after the other, and calls the
 * routine in many steps on each, with other work between.  app.c is its main(): it times each call.
 * peer_gbench.cc and peer_nanobench.cc call the routine on one place, again and again, as their
 * users do.  Everything below is the application's own.
 */
extern const int	 app_places, app_steps;

void	*app_place(void);			/* operands in fresh memory */
void	 app_call(void *place);			/* the routine, and nothing else */
void	 app_between(void *place, int step);	/* what the application does before the next call */

/* ---- for applications: app_memory.c ---- */

void	*app_memory(size_t bytes);		/* fresh, aligned to 64; exits if there is none */
double	 app_random(void);			/* 0 … 1 */
unsigned app_draw(unsigned n);			/* 0 … n - 1 */
double	*app_vector(size_t n);			/* numbers between -1 and 1 */

#endif
