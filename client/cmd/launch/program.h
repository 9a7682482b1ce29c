/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_LAUNCH_PROGRAM_H
#define ASSAY_CLIENT_CMD_LAUNCH_PROGRAM_H

#include "client/cmd/launch/launch.h"

/* A whole program in place of kernels: MicroLauncher's execname, execpath and execargs. */

/* What is for kernels alone is refused with its option.  Call: before what is for kernels. */
enum status	 program_check(struct launch *, struct fault *);

/* A list of one variant: source of the file's ending, else an executable.  New reference. */
enum status	 program_read(const struct launch *, json_t **, struct fault *);

/* Its spec: the words of its command line, and the runs.  New reference. */
enum status	 program_spec(const struct launch *, json_t **, struct fault *);

#endif
