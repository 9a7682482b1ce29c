/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_SWEEP_SWEEP_CREATE_H
#define ASSAY_CLIENT_CMD_SWEEP_SWEEP_CREATE_H

#include <jansson.h>

#include "client/print/cli.h"

/* assay sweep create: what the command line says over the file.  NULL: as in the file; borrowed. */
struct sweep_choice {
	const char	*name, *webhook;
	const char	*readers;	/* a visibility */
	double		 race_ns;	/* below 0: as in the file */
	int64_t		 yardstick;	/* jobs between two of its timings; 0: as in the file */
	bool		 correct;	/* the ranking, for its drift; false: as in the file */
	bool		 follow;
};

/* Each returns the exit code. */
int	 sweep_create_file(struct cli *, const struct sweep_choice *, const char *path);
/* A sweep that names no files any more; `follow`: print its results as they come. */
int	 sweep_create(struct cli *, const json_t *sweep, bool follow);

#endif
