/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_GENERATE_H
#define ASSAY_CLIENT_MICRO_GENERATE_H

#include "client/micro/make.h"
#include "client/micro/plugin/process.h"

/* What is done with the programs; without a folder, a file and a flag, nothing. */
struct generate {
	const char	*folder;	/* -o: a file each; or NULL */
	const char	*joined;	/* one file of all; or NULL */
	bool		 prints;	/* sources on standard output */
	bool		 as_lines;	/* a JSON object each */
	bool		 checks;	/* the assembler reads them */
	bool		 decodes;	/* what their code does is in the objects of as_lines */
	bool		 for_host;	/* what this host cannot run is refused; decodes, too */
	struct make	 make;
	struct plugins	 plugins;	/* none: they are made in this process */
};

enum status	 generate_programs(struct micro *, const struct generate *, struct fault *);

#endif
