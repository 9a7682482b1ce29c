/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "client/cmd/job/document.h"
#include "client/cmd/job/source_files.h"
#include "proto/base/name.h"
#include "proto/spec/spec.h"

enum { NAME_BYTES = 2 * SPEC_MAX_FILE_NAME };

/* The variant's member `files`, made if missing; NULL: it is no object. */
static json_t *
files_of(json_t *variant)
{
	if (json_object_get(variant, "files") == NULL)
		(void)json_object_set_new(variant, "files", json_object());
	variant = json_object_get(variant, "files");
	return json_is_object(variant) ? variant : NULL;
}

static enum status
not_an_object(struct fault *why)
{
	return fault_at(why, ST_BAD_SPEC, "variant.files", "must be an object");
}

/* ---- given by name ---- */

static enum status
add_given(json_t *files, const char *path, struct fault *why)
{
	const char	*slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
	const int	 fd = open(path, O_RDONLY | O_CLOEXEC);
	json_t		*entry = NULL;
	enum status	 st;

	if (fd < 0)
		return fault_set(why, errno == ENOENT ? ST_NOT_FOUND : ST_IO, "%s: %s", path,
		    strerror(errno));
	if (json_object_get(files, name) != NULL)
		st = fault_set(why, ST_BAD_REQUEST, "there is a file \"%s\" already", name);
	else
		st = document_entry(fd, path, &entry, why);
	(void)close(fd);
	if (st == ST_OK && json_object_set_new(files, name, entry) != 0)
		st = fault_set(why, ST_BAD_REQUEST, "a name is not UTF-8");
	return st;
}

enum status
source_files_with(json_t *variant, const struct cli_list *paths, struct fault *why)
{
	json_t		*files;
	enum status	 st = ST_OK;

	if (paths->n == 0)
		return ST_OK;
	if ((files = files_of(variant)) == NULL)
		return not_an_object(why);
	for (size_t i = 0; i < paths->n && st == ST_OK; i++)
		st = add_given(files, paths->items[i], why);
	return st == ST_OK ? ST_OK : fault_within(why, "--with");
}

/* ---- found by what is included ---- */

struct search {
	json_t			*files;		/* borrowed */
	const struct cli_list	*folders;	/* borrowed */
};

/* Of an #include or a Fortran include, between quotes or brackets; "": the line has none. */
static void
included_name(const char *line, char name[NAME_BYTES])
{
	size_t	n;
	char	end;

	name[0] = '\0';
	line += strspn(line, " \t#");
	if (strncmp(line, "include", 7) != 0)
		return;
	line += 7;
	line += strspn(line, " \t");
	end = *line == '<' ? '>' : *line;
	if (*line == '\0' || strchr("<\"'", *line++) == NULL)
		return;
	n = strcspn(line, "<>\"'\n");
	if (line[n] == end && n < NAME_BYTES)
		(void)snprintf(name, NAME_BYTES, "%.*s", (int)n, line);
}

/* "inc/a.h" includes "../b.h": "b.h".  False: it leads out of the folders. */
static bool
name_beside(const char *from, const char *included, char name[NAME_BYTES])
{
	const char	*slash = strrchr(from, '/');
	char		*last;
	size_t		 n = slash != NULL ? (size_t)(slash - from) + 1 : 0;

	(void)snprintf(name, NAME_BYTES, "%.*s", (int)n, from);
	for (;; included += *included == '/') {
		if (strncmp(included, "./", 2) == 0) {
			included += 1;
		} else if (strncmp(included, "../", 3) == 0) {
			if ((n = strlen(name)) == 0)
				return false;
			name[n - 1] = '\0';
			last = strrchr(name, '/');
			name[last != NULL ? last - name + 1 : 0] = '\0';
			included += 2;
		} else {
			break;
		}
	}
	n = strlen(name);
	return (size_t)snprintf(name + n, NAME_BYTES - n, "%s", included) < NAME_BYTES - n;
}

/* A file below the folder; no link leads out of it.  -1: there is none. */
static int
open_below(const char *folder, const char *name)
{
	const int	dir = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct open_how	how = { .flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC,
			    .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS };
	struct stat	sb;
	int		fd;

	if (dir == -1)
		return -1;
	fd = (int)syscall(SYS_openat2, dir, name, &how, sizeof how);
	(void)close(dir);
	if (fd != -1 && (fstat(fd, &sb) == -1 || !S_ISREG(sb.st_mode))) {
		(void)close(fd);
		return -1;
	}
	return fd;
}

static enum status	search_text(struct search *, const char *from, const char *text,
			    struct fault *);

/* It is included, so it is not compiled by itself. */
static enum status
add_found(struct search *s, const char *name, int fd, struct fault *why)
{
	json_t		*entry;
	const char	*text;
	enum status	 st;

	if ((st = document_entry(fd, name, &entry, why)) != ST_OK)
		return st;
	(void)json_object_set_new(entry, "compile", json_false());
	(void)json_object_set_new(s->files, name, entry);
	if (json_object_size(s->files) > SPEC_MAX_FILES)
		return fault_set(why, ST_BAD_REQUEST,
		    "%s is one file too many: a variant has at most %d", name, SPEC_MAX_FILES);
	text = json_string_value(json_object_get(entry, "text"));
	return text != NULL ? search_text(s, name, text, why) : ST_OK;
}

/* *found: under this name there is one, now or before. */
static enum status
find_name(struct search *s, const char *name, bool *found, struct fault *why)
{
	enum status	st = ST_OK;
	int		fd = -1;

	*found = json_object_get(s->files, name) != NULL;
	if (*found || name_check_file(name, SPEC_MAX_FILE_NAME, SPEC_MAX_FILE_DEPTH, NULL) != ST_OK)
		return ST_OK;
	for (size_t i = 0; i < s->folders->n && fd == -1; i++)
		fd = open_below(s->folders->items[i], name);
	if (fd == -1)
		return ST_OK;
	*found = true;
	st = add_found(s, name, fd, why);
	(void)close(fd);
	return st;
}

/* Beside the file that includes it, else from the folders' top. */
static enum status
find_included(struct search *s, const char *from, const char *included, struct fault *why)
{
	char		name[NAME_BYTES];
	bool		found = false;
	enum status	st = ST_OK;

	if (name_beside(from, included, name))
		st = find_name(s, name, &found, why);
	if (st == ST_OK && !found && name_beside("", included, name))
		st = find_name(s, name, &found, why);
	return st;
}

static enum status
search_text(struct search *s, const char *from, const char *text, struct fault *why)
{
	char		name[NAME_BYTES];
	enum status	st = ST_OK;

	while (text != NULL && st == ST_OK) {
		included_name(text, name);
		if (name[0] != '\0')
			st = find_included(s, from, name, why);
		text = strchr(text, '\n');
		text += text != NULL;
	}
	return st;
}

static enum status
check_folders(const struct cli_list *folders, struct fault *why)
{
	for (size_t i = 0; i < folders->n; i++) {
		const int	fd = open(folders->items[i], O_PATH | O_DIRECTORY | O_CLOEXEC);

		if (fd == -1)
			return fault_set(why, errno == ENOENT ? ST_NOT_FOUND : ST_IO, "%s: %s",
			    folders->items[i], strerror(errno));
		(void)close(fd);
	}
	return ST_OK;
}

/* The files that are there before the search adds to them. */
static enum status
search_files(struct search *s, struct fault *why)
{
	json_t		*given = json_copy(s->files), *entry;
	const char	*name, *text;
	enum status	 st = ST_OK;

	json_object_foreach(given, name, entry) {
		text = json_string_value(json_is_object(entry) ?
		    json_object_get(entry, "text") : entry);
		if (text != NULL && st == ST_OK)
			st = search_text(s, name, text, why);
	}
	json_decref(given);
	return st;
}

enum status
source_files_include(json_t *variant, const struct cli_list *folders, struct fault *why)
{
	const char	*language = json_string_value(json_object_get(variant, "language"));
	const char	*source = json_string_value(json_object_get(variant, "source"));
	struct search	 s = { .folders = folders };
	enum status	 st;

	if (folders->n == 0)
		return ST_OK;
	if ((s.files = files_of(variant)) == NULL)
		return not_an_object(why);
	st = check_folders(folders, why);
	if (st == ST_OK && source != NULL && (language == NULL || !document_is_binary(language)))
		st = search_text(&s, "", source, why);
	if (st == ST_OK)
		st = search_files(&s, why);
	if (st == ST_OK && json_object_size(s.files) == 0)
		(void)json_object_del(variant, "files");
	return st == ST_OK ? ST_OK : fault_within(why, "-I");
}
