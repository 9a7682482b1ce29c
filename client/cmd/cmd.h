/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_CMD_H
#define ASSAY_CLIENT_CMD_CMD_H

#include "client/print/cli.h"

/*
 * The commands, a file each: cmd_<name>.c. argv[0] is the command's name; the return value is the
 * exit code.
 */
int	 cmd_serve(const struct cli_command *, struct cli *, int argc, char **argv);
int	 cmd_time(const struct cli_command *, struct cli *, int argc, char **argv);
int	 cmd_compare(const struct cli_command *, struct cli *, int argc, char **argv);
int	 cmd_submit(const struct cli_command *, struct cli *, int argc, char **argv);
int	 cmd_wait(const struct cli_command *, struct cli *, int argc, char **argv);
int	 cmd_results(const struct cli_command *, struct cli *, int argc, char **argv);
int	 cmd_best(const struct cli_command *, struct cli *, int argc, char **argv);
int	 cmd_sweep(const struct cli_command *, struct cli *, int argc, char **argv);
int	 cmd_tune(const struct cli_command *, struct cli *, int argc, char **argv);
int	 cmd_backup(const struct cli_command *, struct cli *, int argc, char **argv);
int	 cmd_check(const struct cli_command *, struct cli *, int argc, char **argv);
int	 cmd_prune(const struct cli_command *, struct cli *, int argc, char **argv);
int	 cmd_queue(const struct cli_command *, struct cli *, int argc, char **argv);
int	 cmd_cancel(const struct cli_command *, struct cli *, int argc, char **argv);
int	 cmd_fit(const struct cli_command *, struct cli *, int argc, char **argv);
int	 cmd_import(const struct cli_command *, struct cli *, int argc, char **argv);
int	 cmd_variants(const struct cli_command *, struct cli *, int argc, char **argv);
int	 cmd_init(const struct cli_command *, struct cli *, int argc, char **argv);
int	 cmd_spec(const struct cli_command *, struct cli *, int argc, char **argv);
int	 cmd_driver(const struct cli_command *, struct cli *, int argc, char **argv);
int	 cmd_compare_runs(const struct cli_command *, struct cli *, int argc, char **argv);
int	 cmd_export(const struct cli_command *, struct cli *, int argc, char **argv);
int	 cmd_report(const struct cli_command *, struct cli *, int argc, char **argv);
int	 cmd_dial_stdio(const struct cli_command *, struct cli *, int argc, char **argv);
int	 cmd_micro(const struct cli_command *, struct cli *, int argc, char **argv);
int	 cmd_launch(const struct cli_command *, struct cli *, int argc, char **argv);
int	 cmd_host(const struct cli_command *, struct cli *, int argc, char **argv);
/*
 * The scripts that complete command lines, and `words WORD...`, what they ask: it knows the other
 * commands.
 */
int	 cmd_completion(const struct cli_command *commands, const struct cli_command *,
	    struct cli *, int argc, char **argv);

#endif
