/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "worker/build/recipe/steps.h"

enum { TEMPORARIES_MAX = 2 * STEPS_MAX };

/* A file that one step writes for another. */
struct temporary {
	const char	*was;		/* borrowed: as the driver named it */
	char		 now[16];
};

struct temporaries {
	char			*text;		/* owned: the names that were */
	size_t			 n;
	struct temporary	 at[TEMPORARIES_MAX];
};

static enum status
refuse(struct fault *why, const char *reason, const char *word)
{
	return fault_set(why, ST_BAD_SPEC, "%s%s%.80s", reason, word[0] != '\0' ? ": " : "", word);
}

static bool
starts(const char *word, const char *with)
{
	return strncmp(word, with, strlen(with)) == 0;
}

/* ---- words of lines ---- */

/* The end of a word; it is written to *to, without its quotes. */
static const char *
take_word(const char *at, char **to)
{
	bool	quoted = false;

	for (; *at != '\0' && *at != '\n' && (quoted || *at != ' '); at++) {
		if (*at == '"') {
			quoted = !quoted;
			continue;
		}
		if (*at == '\\' && quoted && at[1] != '\0')
			at++;
		*(*to)++ = *at;
	}
	*(*to)++ = '\0';
	return quoted ? NULL : at;
}

/* A line of a program and its arguments: one step. */
static enum status
take_step(struct steps *s, const char *line, char **to, struct fault *why)
{
	struct step	*step = &s->step[s->n];

	if (s->n == STEPS_MAX - 1)
		return refuse(why, "it has too many steps", "");
	step->first = s->nwords;
	for (line += strspn(line, " "); *line != '\0' && *line != '\n';
	    line += strspn(line, " ")) {
		if (s->nwords == STEPS_MAX_WORDS)
			return refuse(why, "it has too many words", "");
		if (line[0] == '|')
			return refuse(why, "its steps run at the same time", "");
		s->words[s->nwords++] = *to;
		if ((line = take_word(line, to)) == NULL)
			return refuse(why, "a quoted word has no end", "");
	}
	step->nwords = s->nwords - step->first;
	s->n++;
	return ST_OK;
}

/* Commands begin with a blank; what the driver says of itself does not. */
static enum status
take_lines(struct steps *s, const char *printed, struct fault *why)
{
	char		*to = s->text;
	const char	*line = printed;
	enum status	 st = ST_OK;

	while (line != NULL && st == ST_OK) {
		const char	*word = line + strspn(line, " ");

		if (word > line && *word != '\n' && *word != '\0' && *word != '(')
			st = take_step(s, line, &to, why);
		if ((line = strchr(line, '\n')) != NULL)
			line++;
	}
	return st;
}

/* ---- temporary files ---- */

static const char *
name_of(const char *path)
{
	const char	*slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* The driver's temporary directory is ".", which no other name begins with. */
static char *
temporary_in(char *word)
{
	static const char *const	prefixes[] = { "-plugin-opt=-fresolution=", "-cpp=" };

	for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
		if (starts(word, prefixes[i]))
			word += strlen(prefixes[i]);
	return starts(word, "./") ? word : NULL;
}

/* The text of a macro may look like anything. */
static bool
is_macro(const struct steps *s, size_t word)
{
	return word > 0 && (strcmp(s->words[word - 1], "-D") == 0 ||
	    strcmp(s->words[word - 1], "-U") == 0);
}

static const struct temporary *
find(const struct temporaries *all, const char *name)
{
	for (size_t i = 0; i < all->n; i++)
		if (strcmp(all->at[i].was, name) == 0)
			return &all->at[i];
	return NULL;
}

/* A step's output, or another file named with it. */
static bool
is_made(const struct steps *s, size_t word, const char *name)
{
	return name != s->words[word] || (word > 0 && strcmp(s->words[word - 1], "-o") == 0);
}

static enum status
note_temporary(struct temporaries *all, const struct steps *s, size_t word, char **to,
    struct fault *why)
{
	const char		*name = temporary_in(s->words[word]);
	struct temporary	*t = &all->at[all->n];

	if (name == NULL || is_macro(s, word) || find(all, name) != NULL)
		return ST_OK;
	if (!is_made(s, word, name) || strrchr(name_of(name), '.') == NULL)
		return refuse(why, "no step makes the file", name);
	if (all->n == TEMPORARIES_MAX)
		return refuse(why, "it has too many temporary files", "");
	t->was = *to;
	*to = stpcpy(*to, name) + 1;
	(void)snprintf(t->now, sizeof t->now, ".%zu%.8s", ++all->n,
	    strrchr(name_of(name), '.'));
	return ST_OK;
}

/* Each new name is shorter than the old: "./", a dot and the driver's random letters are more. */
static enum status
rename_temporary(const struct temporaries *all, const struct steps *s, size_t word,
    struct fault *why)
{
	char			*name = temporary_in(s->words[word]);
	const struct temporary	*t;

	if (name == NULL || is_macro(s, word) || (t = find(all, name)) == NULL)
		return ST_OK;
	if (strlen(t->now) > strlen(name))
		return refuse(why, "a temporary file has a short name", name);
	memcpy(name, t->now, strlen(t->now) + 1);
	return ST_OK;
}

static enum status
name_temporaries(struct steps *s, size_t bytes, struct fault *why)
{
	struct temporaries	all = { .text = malloc(bytes) };
	char			*to = all.text;
	enum status		 st = ST_OK;

	if (to == NULL)
		return fault_set(why, ST_NOMEM, "steps");
	for (size_t i = 0; i < s->nwords && st == ST_OK; i++)
		st = note_temporary(&all, s, i, &to, why);
	for (size_t i = 0; i < s->nwords && st == ST_OK; i++)
		st = rename_temporary(&all, s, i, why);
	free(all.text);
	return st;
}

/* ---- programs ---- */

/* As a shell finds it; a build jail has the same PATH. */
static bool
find_program(const char *name, char *path, size_t bytes)
{
	static const char *const	folders[] = { "/usr/local/bin", "/usr/bin", "/bin" };

	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
		if ((size_t)snprintf(path, bytes, "%s/%s", folders[i], name) < bytes &&
		    access(path, X_OK) == 0)
			return true;
	return false;
}

static bool
has_linker(const char *folder, size_t n)
{
	static const char *const	names[] = { "real-ld", "collect-ld", "ld" };
	char				path[4096];

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if ((size_t)snprintf(path, sizeof path, "%.*s/%s", (int)n, folder, names[i]) <
		    sizeof path && access(path, X_OK) == 0)
			return true;
	return false;
}

/* Has the compiler a linker of its own, which it prefers to that in PATH? */
static bool
has_own_linker(const char *printed)
{
	const char	*at = strstr(printed, "\nCOMPILER_PATH=");

	if (at == NULL)
		return false;
	for (at = strchr(at, '=') + 1; *at != '\0' && *at != '\n'; at += *at == ':') {
		const size_t	n = strcspn(at, ":\n");

		if (has_linker(at, n))
			return true;
		at += n;
	}
	return false;
}

/* gcc's collect2 starts the linker with the arguments that it gets. */
static enum status
find_programs(struct steps *s, const char *printed, struct fault *why)
{
	for (size_t i = 0; i < s->n; i++) {
		char		**word = &s->words[s->step[i].first];
		const bool	 links = strcmp(name_of(*word), "collect2") == 0;

		if (links && has_own_linker(printed))
			return refuse(why, "the compiler has a linker of its own", "");
		if (!links && (*word)[0] == '/')
			continue;
		if (!find_program(links ? "ld" : *word, s->program[i], sizeof s->program[i]))
			return refuse(why, "a program is not in PATH", *word);
		*word = s->program[i];
	}
	return ST_OK;
}

/* ---- linking alone ---- */

/* What the C library needs of every object, and what only serves to find a library. */
static bool
is_for_libraries(const char *word)
{
	static const char *const	starters[] = { "crti.o", "crtn.o", "crtbeginS.o",
					    "crtendS.o" };
	static const char *const	options[] = { "--as-needed", "--no-as-needed",
					    "--push-state", "--pop-state" };

	for (size_t i = 0; i < sizeof starters / sizeof starters[0]; i++)
		if (word[0] == '/' && strcmp(name_of(word), starters[i]) == 0)
			return true;
	for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
		if (strcmp(word, options[i]) == 0)
			return true;
	return starts(word, "-l") || starts(word, "-L") || starts(word, "-plugin-opt=");
}

/* Put a step before the last one, which links. */
static enum status
add_alone(struct steps *s, struct fault *why)
{
	struct step		*own = &s->step[s->n], *alone = own - 1;

	*own = *alone;
	*alone = (struct step){ .first = s->nwords, .alone = true };
	s->n++;
	for (size_t i = own->first; i < own->first + own->nwords; i++) {
		char	*word = s->words[i];

		if (strcmp(word, "-plugin") == 0)
			i++;			/* and its file */
		else if (is_for_libraries(word))
			continue;
		else if (s->nwords == STEPS_MAX_WORDS)
			return refuse(why, "it has too many words", "");
		else
			s->words[s->nwords++] = word;
	}
	alone->nwords = s->nwords - alone->first;
	return ST_OK;
}

/* ---- all of it ---- */

static bool
step_makes(const struct steps *s, const struct step *step, const char *object)
{
	for (size_t i = step->first + 1; i < step->first + step->nwords; i++)
		if (strcmp(s->words[i], object) == 0)
			return strcmp(s->words[i - 1], "-o") == 0;
	return false;
}

/* The last step links, and no other knows of the object. */
static enum status
check_shape(const struct steps *s, const char *object, struct fault *why)
{
	const char	*last;

	if (s->n < 2)
		return refuse(why, "it has fewer than two steps", "");
	for (size_t i = 0; i < s->n; i++)
		if (step_makes(s, &s->step[i], object) != (i == s->n - 1))
			return refuse(why, "not the last step alone makes", object);
	last = name_of(s->words[s->step[s->n - 1].first]);
	return strcmp(last, "ld") == 0 || strcmp(last, "collect2") == 0 ? ST_OK :
	    refuse(why, "this linker is not known", last);
}

enum status
steps_parse(struct steps **out, const char *printed, const char *object, struct fault *why)
{
	const size_t	 bytes = 2 * strlen(printed) + 1;	/* each word has a NUL */
	struct steps	*s = calloc(1, sizeof *s);
	enum status	 st = ST_OK;

	*out = NULL;
	if (s == NULL || (s->text = malloc(bytes)) == NULL)
		st = fault_set(why, ST_NOMEM, "steps");
	if (st == ST_OK)
		st = take_lines(s, printed, why);
	if (st == ST_OK)
		st = check_shape(s, object, why);
	if (st == ST_OK)
		st = name_temporaries(s, bytes, why);
	if (st == ST_OK)
		st = find_programs(s, printed, why);
	if (st == ST_OK)
		st = add_alone(s, why);
	if (st != ST_OK) {
		steps_free(s);
		return st;
	}
	*out = s;
	return ST_OK;
}

void
steps_free(struct steps *s)
{
	if (s == NULL)
		return;
	free(s->text);
	free(s);
}

/* ---- using them ---- */

static void
put_word(struct step_line *line, const char *word)
{
	if (line->nwords < STEPS_MAX_WORDS)
		line->words[line->nwords] = word;
	line->nwords++;
}

/* "-D" and the rest, as a driver hands them on. */
static void
put_macros(struct step_line *line, const char *const *macros, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		put_word(line, "-D");
		put_word(line, macros[i] + 2);
	}
}

/* true: it takes macros. */
static bool
put_step(const struct steps *s, const struct step *step, const char *const *macros, size_t n,
    struct step_line *line)
{
	char *const	*words = &s->words[step->first];
	bool		 takes = false;

	for (size_t i = 0; i < step->nwords; i++) {
		if (i + 1 < step->nwords && strcmp(words[i], "-D") == 0 &&
		    strcmp(words[i + 1], STEPS_MACROS) == 0) {
			put_macros(line, macros, n);
			takes = true;
			i++;
		} else {
			put_word(line, words[i]);
		}
	}
	return takes;
}

/* Steps from `from` to the one before `to`. */
static bool
put_some(const struct steps *s, size_t from, size_t to, const char *const *macros, size_t nmacros,
    struct step_line *line)
{
	bool	takes = nmacros == 0;
	size_t	n = 0;

	line->nwords = 0;
	for (size_t i = from; i < to; i++) {
		const size_t	before = line->nwords;

		takes |= put_step(s, &s->step[i], macros, nmacros, line);
		n += (size_t)snprintf(line->counts + n, sizeof line->counts - n, "%s%s%zu",
		    i > from ? "," : "", s->step[i].alone ? "a" : "", line->nwords - before);
	}
	if (line->nwords > STEPS_MAX_WORDS)
		return false;
	line->words[line->nwords] = NULL;
	return takes;
}

bool
steps_put(const struct steps *s, const char *const *macros, size_t nmacros, struct step_line *line)
{
	return put_some(s, 0, s->n, macros, nmacros, line);
}

/* The two links are the last. */
static const char *
object_of(const struct steps *s)
{
	const struct step	*last = &s->step[s->n - 3];

	for (size_t i = last->first + 1; i < last->first + last->nwords; i++)
		if (strcmp(s->words[i - 1], "-o") == 0)
			return s->words[i];
	return NULL;
}

bool
steps_put_first(const struct steps *s, const char *const *macros, size_t nmacros,
    struct step_line *line, const char **object)
{
	return s->n >= 3 && (*object = object_of(s)) != NULL &&
	    put_some(s, 0, s->n - 2, macros, nmacros, line);
}

bool
steps_put_links(const struct steps *s, struct step_line *line, const char **object)
{
	return s->n >= 3 && (*object = object_of(s)) != NULL &&
	    put_some(s, s->n - 2, s->n, NULL, 0, line);
}

static void
digest_program(struct digest *d, const char *path)
{
	struct stat	sb;
	int64_t		file[3] = { -1, 0, 0 };

	if (stat(path, &sb) == 0) {
		file[0] = sb.st_size;
		file[1] = sb.st_mtim.tv_sec;
		file[2] = sb.st_mtim.tv_nsec;
	}
	digest_add(d, file, sizeof file);
}

void
steps_digest(struct digest *d, const struct steps *s, const char *dir)
{
	for (size_t i = 0; i < s->nwords; i++)
		if (strstr(s->words[i], dir) == NULL)
			digest_text(d, s->words[i]);
	for (size_t i = 0; i < s->n; i++)
		digest_program(d, s->words[s->step[i].first]);
}
