/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CONNECT_INTERRUPT_H
#define ASSAY_CLIENT_CONNECT_INTERRUPT_H

/*
 * Ctrl-C (SIGINT), SIGTERM and SIGHUP as something to wait for: after the first one, the
 * descriptor is readable for good.  A second one kills as usual.
 */
int	 interrupt_fd(void);		/* the first call begins to catch; -1: it failed */
int	 interrupt_came(void);		/* the signal's number; 0: none yet */

#endif
