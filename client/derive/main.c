/* SPDX-License-Identifier: Apache-2.0 */
/*
 * assay-spec: a routine in a C file, an object or a shared library → a spec, as one JSON document
 * on standard output.  `assay spec` runs it; it speaks to no daemon and executes nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/derive/derived.h"
#include "client/print/output.h"

enum { MAX_BYTES = 64 << 20 };

static const struct option	options[] = {
	{ "routine", required_argument, NULL, 'r' },
	{ "output", required_argument, NULL, 'o' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static enum status
read_file(const char *path, char **text, size_t *bytes, struct fault *why)
{
	int		fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat	st;
	ssize_t		n = -1;

	*text = NULL;
	if (fd < 0 || fstat(fd, &st) != 0) {
		(void)fault_set(why, errno == ENOENT ? ST_NOT_FOUND : ST_IO, "%s: %s", path,
		    strerror(errno));
	} else if (!S_ISREG(st.st_mode) || st.st_size > MAX_BYTES) {
		(void)fault_set(why, ST_BAD_SPEC, "%s: is no file of at most %d MiB", path,
		    MAX_BYTES >> 20);
	} else if ((*text = calloc(1, (size_t)st.st_size + 1)) == NULL) {
		(void)fault_set(why, ST_NOMEM, "%s", path);
	} else if ((n = read(fd, *text, (size_t)st.st_size)) < 0) {
		(void)fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	}
	if (fd >= 0)
		(void)close(fd);
	*bytes = n > 0 ? (size_t)n : 0;
	return n < 0 ? why->status : ST_OK;
}

static enum status
derive(const char *path, const char *routine, json_t **document, struct fault *why)
{
	struct derived	*d = calloc(1, sizeof *d);
	struct foreign	 f = { .remarks = NULL };
	char		*text = NULL;
	size_t		 bytes;
	enum status	 st;

	if (d == NULL)
		return fault_set(why, ST_NOMEM, "routine");
	d->path = path;
	if ((st = read_file(path, &text, &bytes, why)) == ST_OK) {
		if (bytes >= 4 && memcmp(text, "\177ELF", 4) == 0) {
			st = derive_binary(d, path, routine, why);
		} else if ((st = foreign_init(&f, path, text, bytes, why)) == ST_OK) {
			d->reference = text;
			st = derive_source(d, path, text, bytes, routine, why);
		}
	}
	if (st == ST_OK)
		st = derived_document(d, document, why);
	foreign_release(&f);
	free(text);
	derived_release(d);
	free(d);
	return st;
}

static void
list_guesses(const char *path, const json_t *document)
{
	const json_t	*guesses = json_object_get(json_object_get(document, "meta"), "guesses");
	json_t		*one;
	size_t		 i;

	json_array_foreach(guesses, i, one) {
		char	*value = json_dumps(json_object_get(one, "value"), JSON_ENCODE_ANY |
			    JSON_COMPACT);
		int	 line = (int)json_integer_value(json_object_get(one, "line"));
		int	 column = (int)json_integer_value(json_object_get(one, "column"));
		char	 place[64] = "";

		if (column > 0)		/* a binary has lines of its source */
			(void)snprintf(place, sizeof place, ":%d:%d", line, column);
		(void)fprintf(stderr, "assay: %s%s: %s %s is a guess: %s\n", path, place,
		    json_string_value(json_object_get(one, "member")),
		    value != NULL ? value : "?",
		    json_string_value(json_object_get(one, "why")));
		free(value);
	}
}

static int
fail(const struct fault *why)
{
	(void)fprintf(stderr, "assay: %s%s%s\n", why->member, why->member[0] != '\0' ? ": " : "",
	    why->text);
	if (why->hint[0] != '\0')
		(void)fprintf(stderr, "       %s\n", why->hint);
	return status_exit_code(why->status);
}

static enum status
put_out(const json_t *document, const char *path, struct fault *why)
{
	enum status	st;

	if (path != NULL)
		return output_save(document, path, why);
	if ((st = output_document(document, why)) == ST_OK && !output_finish())
		st = fault_set(why, ST_IO, "standard output: %s", strerror(errno));
	return st;
}

int
main(int argc, char **argv)
{
	const char	*routine = NULL, *output = NULL;
	json_t		*document = NULL;
	struct fault	 why = { .status = ST_OK };
	bool		 is_quiet = false;
	enum status	 st;
	int		 c;

	while ((c = getopt_long(argc, argv, "r:o:qh", options, NULL)) != -1) {
		switch (c) {
		case 'r': routine = optarg; break;
		case 'o': output = optarg; break;
		case 'q': is_quiet = true; break;
		default:
			(void)fprintf(c == 'h' ? stdout : stderr, "usage: assay-spec [--routine "
			    "NAME] [--output FILE] [--quiet] FILE\n");
			return c == 'h' ? 0 : status_exit_code(ST_BAD_REQUEST);
		}
	}
	if (argc - optind != 1) {
		(void)fprintf(stderr, "assay-spec: needs one file\n");
		return status_exit_code(ST_BAD_REQUEST);
	}
	if (derive(argv[optind], routine, &document, &why) != ST_OK)
		return fail(&why);
	if (!is_quiet)
		list_guesses(argv[optind], document);
	st = put_out(document, output, &why);
	json_decref(document);
	return st == ST_OK ? 0 : fail(&why);
}
