/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/host/journal.h"

enum { MAX_WORDS = 7, FILE_MAX_BYTES = 16 << 20 };

static const char *const	act_word[JOURNAL_NACTS] = { "write", "own", "make" };

/* ---- words ---- */

static void
put_word(FILE *f, const char *word)
{
	(void)fputs("\t=", f);
	for (; *word != '\0'; word++) {
		unsigned char	c = (unsigned char)*word;

		if (c <= ' ' || c >= 0x7f || c == '%')
			(void)fprintf(f, "%%%02X", c);
		else
			(void)fputc(c, f);
	}
}

/* In place: "=50%25" becomes "50%".  NULL: not a word. */
static char *
get_word(char *word)
{
	char	*to = word;

	if (word == NULL || *word++ != '=')
		return NULL;
	for (char *from = word; *from != '\0'; from++) {
		char	hex[3] = { 0 };

		if (*from != '%') {
			*to++ = *from;
			continue;
		}
		if (!isxdigit((unsigned char)from[1]) || !isxdigit((unsigned char)from[2]))
			return NULL;
		memcpy(hex, from + 1, 2);
		if ((*to = (char)strtoul(hex, NULL, 16)) == '\0')
			return NULL;
		to++;
		from += 2;
	}
	*to = '\0';
	return word - 1;
}

static unsigned
split(char *line, char *words[MAX_WORDS])
{
	unsigned	n = 0;

	for (char *at = line; at != NULL && n < MAX_WORDS;)
		words[n++] = strsep(&at, "\t");
	return n;
}

/* ---- the file ---- */

static enum status
set_path(struct journal *j, const char *dir, struct fault *why)
{
	memset(j, 0, sizeof *j);
	j->fd = -1;
	if ((size_t)snprintf(j->path, sizeof j->path, "%s/host.journal", dir) >= sizeof j->path)
		return fault_set(why, ST_BAD_REQUEST, "%s: the path is too long", dir);
	return ST_OK;
}

static enum status
append(struct journal *j, const char *line, size_t bytes, struct fault *why)
{
	if (write(j->fd, line, bytes) != (ssize_t)bytes || fdatasync(j->fd) != 0)
		return fault_set(why, ST_IO, "%s: %s", j->path, strerror(errno));
	return ST_OK;
}

/* Build one line of words in memory, then append it with one write. */
static enum status
append_words(struct journal *j, const char *kind, const char *number,
    const char *const *words, unsigned n, struct fault *why)
{
	char		*line = NULL;
	size_t		 bytes = 0;
	FILE		*f = open_memstream(&line, &bytes);
	enum status	 st;

	if (f == NULL)
		return fault_set(why, ST_NOMEM, "journal");
	(void)fprintf(f, "%s\t%s", kind, number);
	for (unsigned i = 0; i < n; i++)
		put_word(f, words[i]);
	(void)fputc('\n', f);
	if (fclose(f) != 0)
		st = fault_set(why, ST_NOMEM, "journal");
	else
		st = append(j, line, bytes, why);
	free(line);
	return st;
}

static enum status
sync_directory(const char *dir, struct fault *why)
{
	int	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), rc;

	rc = fd < 0 || fsync(fd) != 0 ? errno : 0;
	if (fd >= 0)
		(void)close(fd);
	return rc == 0 ? ST_OK : fault_set(why, ST_IO, "%s: %s", dir, strerror(rc));
}

enum status
journal_begin(struct journal *j, const char *dir, const char *boot, struct fault *why)
{
	enum status	st = journal_load(j, dir, boot, why);

	journal_release(j);
	if (st == ST_OK) {
		st = fault_set(why, ST_CONFLICT,
		    "%s: changes of an earlier run have not been undone", j->path);
		fault_hint(why, "assay-hostd --restore");
		return st;
	}
	if (st != ST_NOT_FOUND)
		return st;
	if ((st = set_path(j, dir, why)) != ST_OK)
		return st;
	if (unlink(j->path) != 0 && errno != ENOENT)
		return fault_set(why, ST_IO, "%s: %s", j->path, strerror(errno));
	j->fd = open(j->path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW,
	    0644);
	if (j->fd < 0)
		return fault_set(why, ST_IO, "%s: %s", j->path, strerror(errno));
	if ((st = append_words(j, "assay-host", "1", &boot, 1, why)) != ST_OK)
		return st;
	return sync_directory(dir, why);
}

/* ---- entries ---- */

static void
entry_release(struct journal_entry *e)
{
	free(e->name);
	free(e->path);
	free(e->old);
	free(e->new_value);
	free(e->undo);
	free(e->got);
}

/* words: NAME PATH OLD NEW UNDO */
static enum status
add_entry(struct journal *j, enum journal_act act, const char *const words[5], struct fault *why)
{
	struct journal_entry	*more = reallocarray(j->entries, j->n + 1, sizeof *more), *e;

	if (more == NULL)
		return fault_set(why, ST_NOMEM, "journal");
	j->entries = more;
	e = &more[j->n];
	*e = (struct journal_entry){ .act = act, .name = strdup(words[0]), .path = strdup(words[1]),
	    .old = strdup(words[2]), .new_value = strdup(words[3]), .undo = strdup(words[4]) };
	if (e->name == NULL || e->path == NULL || e->old == NULL || e->new_value == NULL ||
	    e->undo == NULL) {
		entry_release(e);
		return fault_set(why, ST_NOMEM, "journal");
	}
	j->n++;
	return ST_OK;
}

static enum status
mark_done(struct journal *j, const char *value, struct fault *why)
{
	struct journal_entry	*e = &j->entries[j->n - 1];
	char			*copy = strdup(value);

	if (copy == NULL)
		return fault_set(why, ST_NOMEM, "journal");
	free(e->got);
	e->got = copy;
	e->done = true;
	return ST_OK;
}

enum status
journal_intend(struct journal *j, enum journal_act act, const char *name, const char *path,
    const char *old, const char *new_value, const char *undo, struct fault *why)
{
	const char *const	words[5] = { name, path, old, new_value, undo };
	char			number[24];
	enum status		st;

	(void)snprintf(number, sizeof number, "%zu", j->n);
	if ((st = add_entry(j, act, words, why)) != ST_OK)
		return st;
	if ((st = append_words(j, act_word[act], number, words, 5, why)) != ST_OK)
		entry_release(&j->entries[--j->n]);
	return st;
}

enum status
journal_got(struct journal *j, const char *value, struct fault *why)
{
	char		number[24];
	enum status	st;

	(void)snprintf(number, sizeof number, "%zu", j->n - 1);
	if ((st = append_words(j, "got", number, &value, 1, why)) != ST_OK)
		return st;
	return mark_done(j, value, why);
}

/* ---- reading ---- */

static enum status
malformed(const struct journal *j, struct fault *why)
{
	return fault_set(why, ST_IO, "%s: entry %zu is malformed", j->path, j->n);
}

static enum status
take_line(struct journal *j, char *line, struct fault *why)
{
	char		*words[MAX_WORDS] = { NULL }, number[24];
	unsigned	 n = split(line, words);

	for (unsigned i = 2; i < n; i++)
		if ((words[i] = get_word(words[i])) == NULL)
			return malformed(j, why);
	if (n == 3 && strcmp(words[0], "got") == 0) {
		(void)snprintf(number, sizeof number, "%zu", j->n - 1);
		return j->n > 0 && strcmp(words[1], number) == 0 ? mark_done(j, words[2], why) :
		    malformed(j, why);
	}
	(void)snprintf(number, sizeof number, "%zu", j->n);
	for (unsigned act = 0; n == MAX_WORDS && act < JOURNAL_NACTS; act++)
		if (strcmp(words[0], act_word[act]) == 0 && strcmp(words[1], number) == 0)
			return add_entry(j, (enum journal_act)act,
			    (const char *const *)(words + 2), why);
	return malformed(j, why);
}

/* The first line: of this format, and of this boot? */
static enum status
take_header(const struct journal *j, char *line, const char *boot, struct fault *why)
{
	char	*words[MAX_WORDS] = { NULL };

	if (split(line, words) != 3 || strcmp(words[0], "assay-host") != 0 ||
	    strcmp(words[1], "1") != 0 || get_word(words[2]) == NULL)
		return fault_set(why, ST_IO, "%s is not a journal of this version", j->path);
	if (strcmp(words[2], boot) != 0)
		return fault_set(why, ST_NOT_FOUND, "%s is of an earlier boot", j->path);
	return ST_OK;
}

static char *
slurp(const char *path, struct fault *why, enum status *st)
{
	struct stat	 sb;
	char		*text = NULL;
	ssize_t		 n = -1;
	int		 fd;

	*st = ST_OK;
	errno = 0;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0 && errno == ENOENT) {
		*st = fault_set(why, ST_NOT_FOUND, "%s: nothing has been changed", path);
		return NULL;
	}
	if (fd >= 0 && fstat(fd, &sb) == 0 && sb.st_size < FILE_MAX_BYTES &&
	    (text = calloc(1, (size_t)sb.st_size + 1)) != NULL)
		n = read(fd, text, (size_t)sb.st_size);
	if (n < 0) {
		*st = fault_set(why, ST_IO, "%s: %s", path,
		    errno != 0 ? strerror(errno) : "too large");
	} else if (memchr(text, '\0', (size_t)n) != NULL) {
		*st = fault_set(why, ST_IO, "%s is damaged: byte %zu is NUL", path,
		    strnlen(text, (size_t)n));
	}
	if (*st != ST_OK) {
		free(text);
		text = NULL;
	}
	if (fd >= 0)
		(void)close(fd);
	return text;
}

enum status
journal_load(struct journal *j, const char *dir, const char *boot, struct fault *why)
{
	enum status	 st;
	char		*text, *line, *end;
	bool		 first = true;

	if ((st = set_path(j, dir, why)) != ST_OK || (text = slurp(j->path, why, &st)) == NULL)
		return st;
	for (line = text; st == ST_OK && (end = strchr(line, '\n')) != NULL;
	    line = end + 1, first = false) {
		*end = '\0';
		st = first ? take_header(j, line, boot, why) : take_line(j, line, why);
	}
	if (st == ST_OK && first)	/* it died in its first line: nothing was changed yet */
		st = fault_set(why, ST_NOT_FOUND, "%s is empty", j->path);
	free(text);
	if (st != ST_OK)
		journal_release(j);
	return st;
}

const struct journal_entry *
journal_find(const struct journal *j, const char *path)
{
	for (size_t i = j->n; i-- > 0;)
		if (strcmp(j->entries[i].path, path) == 0)
			return &j->entries[i];
	return NULL;
}

enum status
journal_remove(struct journal *j, struct fault *why)
{
	return unlink(j->path) == 0 || errno == ENOENT ? ST_OK :
	    fault_set(why, ST_IO, "%s: %s", j->path, strerror(errno));
}

void
journal_release(struct journal *j)
{
	for (size_t i = 0; i < j->n; i++)
		entry_release(&j->entries[i]);
	free(j->entries);
	j->entries = NULL;
	j->n = 0;
	if (j->fd >= 0)
		(void)close(j->fd);
	j->fd = -1;
}
