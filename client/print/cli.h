/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PRINT_CLI_H
#define ASSAY_CLIENT_PRINT_CLI_H

#include <stddef.h>
#include <stdint.h>

#include "proto/base/fault.h"

struct cli_option;

/*
 * The command line.  Options are tables.  Each command also has the global options, in front of its
 * name or behind it.  Exit codes are those in proto/base/status.h.
 */
struct cli {
	const char	*socket;	/* -s; NULL: the default */
	const char	*host;		/* -H; NULL: the Unix socket */
	/* files for https:, NULL: the defaults of client/lib/assay.h */
	const char	*token_file, *ca, *cert, *key;
	bool		 json;		/* one document */
	bool		 ndjson;	/* one a line, as they come */
	bool		 brief;		/* a line a result, where a command has --brief */
	bool		 quiet;
	bool		 markdown;	/* tables in Markdown */
	bool		 is_local;	/* set by a command: no daemon is called, nor in its help */
	const char	*color;		/* auto, always, never; NULL: auto */
	/* gets a command's options, with the global ones, instead of --help; or NULL */
	void		(*describe)(void *arg, const struct cli_option *, size_t n);
	void		*describe_arg;
};

struct cli_list {
	char	**items;		/* owned; the texts are borrowed from argv */
	size_t	  n;
};

enum cli_kind {
	CLI_FLAG,			/* into: bool */
	CLI_TEXT,			/* into: const char *; borrowed from argv */
	CLI_INT,			/* into: int64_t, min … max */
	CLI_INT_OR_0,			/* the same; 0 without a value: --name or --name=N */
	CLI_REAL,			/* into: double, min … max */
	CLI_LIST,			/* into: struct cli_list; may be given again */
};

struct cli_option {
	char		 letter;	/* 0: none */
	const char	*name;		/* NULL ends a table: CLI_END */
	enum cli_kind	 kind;
	void		*into;
	const char	*argument, *text;	/* for --help; argument is NULL for a flag */
	int64_t		 min, max;
};

#define CLI_END	{ '\0', NULL, CLI_FLAG, NULL, NULL, NULL, 0, 0 }

struct cli_command {
	const char	*name;		/* NULL ends a table */
	const char	*arguments;	/* "spec.json variant.c..." */
	const char	*text;
	int		(*run)(const struct cli_command *, struct cli *, int argc, char **argv);
};		/* run returns the exit code */

enum { CLI_GO_ON = -1, CLI_MAX_OPTIONS = 72 };

/*
 * Read a command's options (NULL: only the global ones); argv[0] is its name.  `words` gets the
 * other arguments, and must be released.  Returns CLI_GO_ON or an exit code: --help was answered,
 * or a usage error reported.
 */
int		 cli_parse(struct cli *, const struct cli_command *, const struct cli_option *,
		    int argc, char **argv, struct cli_list *words);
/* Read the global options in front of the command's name: *used words of argv. */
int		 cli_parse_global(struct cli *, int argc, char **argv, int *used);

enum status	 cli_add(struct cli_list *, char *item, struct fault *);
void		 cli_list_release(struct cli_list *);

/* "NAME=VALUE" → the value, and the name's length; ST_BAD_REQUEST: no such form. */
enum status	 cli_split(const char *text, size_t *name_bytes, const char **value,
		    struct fault *);
enum status	 cli_int(const char *text, int64_t min, int64_t max, int64_t *out, struct fault *);

/* Print a fault on stderr, its hint on a line of its own.  Returns its exit code. */
int		 cli_fail(const struct fault *);
/*
 * The same for a usage error, in the caller's words.  The hint names the command's help (NULL: that
 * of assay).
 */
int		 cli_usage(const struct cli_command *, const char *fmt,
		    ...) __attribute__((format(printf, 2, 3)));

#endif
