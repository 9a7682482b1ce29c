/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOST_FREQUENCY_H
#define ASSAY_DAEMON_HOST_FREQUENCY_H

#include "daemon/host/site.h"
#include "daemon/host/undo.h"

/*
 * The clock of a slot's CPUs at one frequency, for a job that asks for it: cpufreq's least and most
 * of each policy that they belong to.  A slot's changes have a journal of their own, in the
 * directory slotN of the runtime directory, for as long as they stand.  So slots change
 * independently, and after a crash each is restored before the host is.
 */

/*
 * Can these CPUs have it?  ST_BAD_SPEC: no; the words say what is absent, or which frequencies
 * there are.  Only looks.
 */
enum status	 frequency_check(const struct hostfs *, const cpu_set_t *slot, unsigned khz,
		    struct fault *);

/* ST_CONFLICT: a policy has CPUs of another slot.  What was changed is undone on any failure. */
enum status	 frequency_set(const struct site *, unsigned slot, unsigned khz,
		    const char *run_dir, struct fault *);

/* ST_OK also if nothing is set. */
enum status	 frequency_restore(const struct hostfs *, unsigned slot, const char *run_dir,
		    undo_fn *, void *arg, struct fault *);
/* Of each slot, after a crash too. */
enum status	 frequency_restore_all(const struct hostfs *, const char *run_dir, undo_fn *,
		    void *arg, struct fault *);

#endif
