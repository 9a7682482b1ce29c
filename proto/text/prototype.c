/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "proto/base/name.h"
#include "proto/text/prototype.h"

static const struct ctype_row {
	const char	*name;
	size_t		 bytes;
	char		 class;
} ctype_rows[CTYPE_N] = {
#define X(name, c, bytes, class) [CTYPE_##name] = { c, bytes, class },
	CTYPE_LIST(X)
#undef X
};

/* The words of a type: each adds its counter; the combination makes the type. */
enum word { W_VOID, W_BOOL, W_CHAR, W_SHORT, W_INT, W_LONG, W_SIGNED, W_UNSIGNED, W_FLOAT, W_DOUBLE,
    W_COMPLEX };
enum { WORD_BITS = 2 };			/* per counter */
#define WORD(w)		(1u << (WORD_BITS * (w)))

static const struct spelling {
	const char	*text;
	enum word	 word;
} spellings[] = {
	{ "void", W_VOID }, { "_Bool", W_BOOL }, { "bool", W_BOOL }, { "char", W_CHAR },
	{ "short", W_SHORT }, { "int", W_INT }, { "long", W_LONG }, { "signed", W_SIGNED },
	{ "unsigned", W_UNSIGNED }, { "float", W_FLOAT }, { "double", W_DOUBLE },
	{ "_Complex", W_COMPLEX }, { "complex", W_COMPLEX },
};

/* Every combination that C allows, less types that CTYPE_LIST does not have. */
static const struct combination {
	unsigned	words;
	enum ctype	type;
} combinations[] = {
	{ WORD(W_VOID), CTYPE_VOID },
	{ WORD(W_BOOL), CTYPE_BOOL },
	{ WORD(W_CHAR), CTYPE_CHAR },
	{ WORD(W_SIGNED) + WORD(W_CHAR), CTYPE_SCHAR },
	{ WORD(W_UNSIGNED) + WORD(W_CHAR), CTYPE_UCHAR },
	{ WORD(W_SHORT), CTYPE_SHORT },
	{ WORD(W_SHORT) + WORD(W_INT), CTYPE_SHORT },
	{ WORD(W_SIGNED) + WORD(W_SHORT), CTYPE_SHORT },
	{ WORD(W_SIGNED) + WORD(W_SHORT) + WORD(W_INT), CTYPE_SHORT },
	{ WORD(W_UNSIGNED) + WORD(W_SHORT), CTYPE_USHORT },
	{ WORD(W_UNSIGNED) + WORD(W_SHORT) + WORD(W_INT), CTYPE_USHORT },
	{ WORD(W_INT), CTYPE_INT },
	{ WORD(W_SIGNED), CTYPE_INT },
	{ WORD(W_SIGNED) + WORD(W_INT), CTYPE_INT },
	{ WORD(W_UNSIGNED), CTYPE_UINT },
	{ WORD(W_UNSIGNED) + WORD(W_INT), CTYPE_UINT },
	{ WORD(W_LONG), CTYPE_LONG },
	{ WORD(W_LONG) + WORD(W_INT), CTYPE_LONG },
	{ WORD(W_SIGNED) + WORD(W_LONG), CTYPE_LONG },
	{ WORD(W_SIGNED) + WORD(W_LONG) + WORD(W_INT), CTYPE_LONG },
	{ WORD(W_UNSIGNED) + WORD(W_LONG), CTYPE_ULONG },
	{ WORD(W_UNSIGNED) + WORD(W_LONG) + WORD(W_INT), CTYPE_ULONG },
	{ 2 * WORD(W_LONG), CTYPE_LLONG },
	{ 2 * WORD(W_LONG) + WORD(W_INT), CTYPE_LLONG },
	{ WORD(W_SIGNED) + 2 * WORD(W_LONG), CTYPE_LLONG },
	{ WORD(W_SIGNED) + 2 * WORD(W_LONG) + WORD(W_INT), CTYPE_LLONG },
	{ WORD(W_UNSIGNED) + 2 * WORD(W_LONG), CTYPE_ULLONG },
	{ WORD(W_UNSIGNED) + 2 * WORD(W_LONG) + WORD(W_INT), CTYPE_ULLONG },
	{ WORD(W_FLOAT), CTYPE_FLOAT },
	{ WORD(W_DOUBLE), CTYPE_DOUBLE },
	{ WORD(W_LONG) + WORD(W_DOUBLE), CTYPE_LDOUBLE },
	{ WORD(W_FLOAT) + WORD(W_COMPLEX), CTYPE_CFLOAT },
	{ WORD(W_DOUBLE) + WORD(W_COMPLEX), CTYPE_CDOUBLE },
};

static const struct alias {
	const char	*text;
	enum ctype	 type;
} aliases[] = {
	{ "int8_t", CTYPE_SCHAR }, { "uint8_t", CTYPE_UCHAR }, { "int16_t", CTYPE_SHORT },
	{ "uint16_t", CTYPE_USHORT }, { "int32_t", CTYPE_INT }, { "uint32_t", CTYPE_UINT },
	{ "int64_t", CTYPE_LONG }, { "uint64_t", CTYPE_ULONG }, { "size_t", CTYPE_ULONG },
	{ "ssize_t", CTYPE_LONG }, { "ptrdiff_t", CTYPE_LONG }, { "intptr_t", CTYPE_LONG },
	{ "uintptr_t", CTYPE_ULONG },
};

#define LENGTH(array)	(sizeof (array) / sizeof (array)[0])
enum { MAX_WORDS = LENGTH(spellings) + LENGTH(aliases) };

struct reader {
	const char	*text, *at;
	struct fault	*why;
};

/* A type and its qualifiers, as far as the first thing that is neither. */
struct specifiers {
	enum ctype	type;
	bool		is_const;
	char		tag[PROTOTYPE_NAME_MAX];	/* of a struct; "" */
};

const char *
ctype_name(enum ctype t)
{
	return ctype_rows[(unsigned)t < CTYPE_N ? t : CTYPE_VOID].name;
}

size_t
ctype_bytes(enum ctype t)
{
	return ctype_rows[(unsigned)t < CTYPE_N ? t : CTYPE_VOID].bytes;
}

bool
ctype_is_floating(enum ctype t)
{
	return ctype_class(t) == 'f' || ctype_class(t) == 'c';
}

char
ctype_class(enum ctype t)
{
	return ctype_rows[(unsigned)t < CTYPE_N ? t : CTYPE_VOID].class;
}

static enum status __attribute__((format(printf, 2, 3)))
refuse(struct reader *r, const char *fmt, ...)
{
	char	words[160];
	va_list	ap;

	va_start(ap, fmt);
	(void)vsnprintf(words, sizeof words, fmt, ap);
	va_end(ap);
	return fault_set(r->why, ST_BAD_SPEC, "\"%.200s\", column %zu: %s", r->text,
	    (size_t)(r->at - r->text) + 1, words);
}

static enum status
refuse_here(struct reader *r, const char *wanted)
{
	if (*r->at == '\0')
		return refuse(r, "expected %s, but it ends here", wanted);
	return refuse(r, "expected %s, not \"%.16s\"", wanted, r->at);
}

static void
skip_space(struct reader *r)
{
	while (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r')
		r->at++;
}

/*
 * The identifier that comes next, without consuming it; "" when there is none or it is too long for
 * a name.
 */
static size_t
peek_name(struct reader *r, char name[PROTOTYPE_NAME_MAX])
{
	size_t	n;

	skip_space(r);
	n = name_length(r->at);
	if (n >= PROTOTYPE_NAME_MAX)
		n = 0;
	memcpy(name, r->at, n);
	name[n] = '\0';
	return n;
}

static bool
take(struct reader *r, char c)
{
	skip_space(r);
	if (*r->at != c)
		return false;
	r->at++;
	return true;
}

static bool
is_restrict(const char *word)
{
	return strcmp(word, "restrict") == 0 || strcmp(word, "__restrict") == 0 ||
	    strcmp(word, "__restrict__") == 0;
}

static bool
is_qualifier(const char *word)
{
	return strcmp(word, "const") == 0 || strcmp(word, "volatile") == 0;
}

static bool
find_spelling(const char *word, enum word *out)
{
	for (size_t i = 0; i < LENGTH(spellings); i++) {
		if (strcmp(spellings[i].text, word) == 0) {
			*out = spellings[i].word;
			return true;
		}
	}
	return false;
}

static bool
find_alias(const char *word, enum ctype *out)
{
	for (size_t i = 0; i < LENGTH(aliases); i++) {
		if (strcmp(aliases[i].text, word) == 0) {
			*out = aliases[i].type;
			return true;
		}
	}
	return false;
}

static enum status
refuse_type(struct reader *r, const char *word)
{
	const char	*names[MAX_WORDS + 1];
	const char	*near;
	size_t		 n = 0;
	enum status	 st;

	if (*word == '\0')
		return refuse_here(r, "a type");
	for (size_t i = 0; i < LENGTH(spellings); i++)
		names[n++] = spellings[i].text;
	for (size_t i = 0; i < LENGTH(aliases); i++)
		names[n++] = aliases[i].text;
	names[n] = NULL;
	st = refuse(r, "\"%.60s\" is not a type known here", word);
	if ((near = nearest_name(word, names)) != NULL)
		fault_hint(r->why, "did you mean \"%s\"?", near);
	else
		fault_hint(r->why, "the arithmetic types of C and stdint.h, and pointers to them");
	return st;
}

static enum status
combine(struct reader *r, unsigned words, enum ctype *out)
{
	for (size_t i = 0; i < LENGTH(combinations); i++) {
		if (combinations[i].words == words) {
			*out = combinations[i].type;
			return ST_OK;
		}
	}
	return refuse(r, "these words make no type known here");
}

/* The word `struct` was read up to its end. */
static bool
take_tag(struct reader *r, size_t *n, struct specifiers *out)
{
	r->at += *n;
	*n = peek_name(r, out->tag);
	out->type = CTYPE_STRUCT;
	return *n > 0;
}

/* const, volatile, and the words of one type, in any order C allows. */
static enum status
read_specifiers(struct reader *r, struct specifiers *out)
{
	char		 word[PROTOTYPE_NAME_MAX];
	unsigned	 words = 0;
	bool		 has_alias = false;
	enum word	 w;

	out->is_const = false;
	out->tag[0] = '\0';
	for (size_t n; (n = peek_name(r, word)) > 0; r->at += n) {
		if (is_qualifier(word)) {
			out->is_const |= word[0] == 'c';
		} else if (words == 0 && !has_alias && strcmp(word, "struct") == 0) {
			if (!(has_alias = take_tag(r, &n, out)))
				return refuse_here(r, "the struct's name");
		} else if (!has_alias && find_spelling(word, &w)) {
			if (((words >> (WORD_BITS * w)) & 3) == 2)
				return refuse(r, "\"%s\" too often", word);
			words += WORD(w);
		} else if (words == 0 && !has_alias && find_alias(word, &out->type)) {
			has_alias = true;
		} else {
			break;
		}
	}
	if (has_alias)
		return ST_OK;
	return words == 0 ? refuse_type(r, word) : combine(r, words, &out->type);
}

/* After the star: const, restrict, volatile. */
static void
read_pointer_qualifiers(struct reader *r, struct proto_param *p)
{
	char	word[PROTOTYPE_NAME_MAX];

	for (size_t n; (n = peek_name(r, word)) > 0; r->at += n) {
		if (is_restrict(word))
			p->is_restrict = true;
		else if (!is_qualifier(word))
			break;
	}
}

static enum status
refuse_levels(struct reader *r)
{
	enum status	st = refuse(r, "two levels of pointers only");

	fault_hint(r->why, "pass the elements as one plain pointer and index them yourself");
	return st;
}

/* [], [8], [N], [static 8], [restrict] */
static enum status
read_bound(struct reader *r, struct proto_param *p)
{
	char	word[PROTOTYPE_NAME_MAX];
	size_t	n;

	while ((n = peek_name(r, word)) > 0) {
		p->is_restrict |= is_restrict(word);
		r->at += n;
	}
	while (*r->at >= '0' && *r->at <= '9')
		r->at++;
	return take(r, ']') ? ST_OK : refuse_here(r, "\"]\" after a name or a number");
}

/* The further dimensions of an array: its rows lie one behind the other. */
static enum status
read_rows(struct reader *r, struct proto_param *p)
{
	enum status	st = ST_OK;

	while (st == ST_OK && take(r, '[')) {
		if (p->is_rows)
			return refuse_levels(r);
		p->is_array = true;
		st = read_bound(r, p);
	}
	return st;
}

/* C makes the first dimension a pointer; of an array of pointers, a pointer to those. */
static enum status
read_array(struct reader *r, struct proto_param *p)
{
	enum status	st;

	if (!take(r, '['))
		return ST_OK;
	if (p->is_rows)
		return refuse_levels(r);
	p->is_rows = p->is_pointer;
	p->is_pointer = true;
	if ((st = read_bound(r, p)) != ST_OK)
		return st;
	return read_rows(r, p);
}

/* A name that may be given to a routine or an argument, consumed into `name`. */
static enum status
read_name(struct reader *r, char name[PROTOTYPE_NAME_MAX], const char *what)
{
	struct fault	because;
	size_t		n = peek_name(r, name);

	if (n == 0)
		return refuse_here(r, what);
	if (name_check_routine(name, &because) != ST_OK)
		return refuse(r, "%s", because.text);
	r->at += n;
	return ST_OK;
}

static enum status
check_param(struct reader *r, const struct prototype *out, const struct proto_param *p)
{
	enum status	st;

	if (p->type == CTYPE_VOID && (!p->is_pointer || p->is_rows || p->is_array))
		return refuse(r, "\"%s\" cannot be void", p->name);
	if (p->type == CTYPE_STRUCT && !p->is_pointer) {
		st = refuse(r, "\"%s\" is a struct, which is passed by pointer only", p->name);
		fault_hint(r->why, "call it through a function that takes a pointer");
		return st;
	}
	for (size_t i = 0; i < out->nparams; i++)
		if (strcmp(out->params[i].name, p->name) == 0)
			return refuse(r, "two parameters are called \"%s\"", p->name);
	return ST_OK;
}

/* (*name)[N]: a pointer to rows of a fixed length. */
static enum status
read_array_pointer(struct reader *r, struct proto_param *p)
{
	enum status	st;

	if (!take(r, '*'))
		return refuse_here(r, "\"*\"");
	p->is_pointer = true;
	read_pointer_qualifiers(r, p);
	if ((st = read_name(r, p->name, "the parameter's name")) != ST_OK)
		return st;
	if (!take(r, ')'))
		return refuse_here(r, "\")\"");
	skip_space(r);
	if (*r->at == '(')
		return refuse(r, "pointers to functions cannot be passed");
	return *r->at == '[' ? read_rows(r, p) : refuse_here(r, "\"[\"");
}

/* Stars and name. */
static enum status
read_declarator(struct reader *r, struct proto_param *p)
{
	enum status	st;

	if ((p->is_pointer = take(r, '*')))
		read_pointer_qualifiers(r, p);
	if (p->is_pointer && (p->is_rows = take(r, '*')))
		read_pointer_qualifiers(r, p);
	skip_space(r);
	if (*r->at == '*')
		return refuse_levels(r);
	if (!p->is_pointer && take(r, '('))
		return read_array_pointer(r, p);
	if (*r->at == '(')
		return refuse(r, "pointers to functions cannot be passed");
	st = read_name(r, p->name, "the parameter's name");
	return st == ST_OK ? read_array(r, p) : st;
}

static enum status
read_param(struct reader *r, struct prototype *out)
{
	struct proto_param	*p;
	struct specifiers	 s;
	enum status		 st;

	if (out->nparams == PROTOTYPE_MAX_PARAMS)
		return refuse(r, "more than %d parameters", PROTOTYPE_MAX_PARAMS);
	p = &out->params[out->nparams];
	memset(p, 0, sizeof *p);
	if ((st = read_specifiers(r, &s)) != ST_OK)
		return st;
	p->type = s.type;
	p->is_const = s.is_const;
	memcpy(p->tag, s.tag, sizeof p->tag);
	if ((st = read_declarator(r, p)) != ST_OK || (st = check_param(r, out, p)) != ST_OK)
		return st;
	out->nparams++;
	return ST_OK;
}

/* "()" and "(void)" take nothing. */
static bool
takes_nothing(struct reader *r)
{
	struct reader	 ahead = *r;
	char		 word[PROTOTYPE_NAME_MAX];
	size_t		 n = peek_name(&ahead, word);

	if (n > 0 && strcmp(word, "void") != 0)
		return false;
	ahead.at += n;
	if (!take(&ahead, ')'))
		return false;
	*r = ahead;
	return true;
}

static enum status
read_params(struct reader *r, struct prototype *out)
{
	enum status	st;

	if (takes_nothing(r))
		return ST_OK;
	do {
		skip_space(r);
		if (strncmp(r->at, "...", 3) == 0)
			return refuse(r, "a routine with \"...\" cannot be timed");
		if ((st = read_param(r, out)) != ST_OK)
			return st;
	} while (take(r, ','));
	return take(r, ')') ? ST_OK : refuse_here(r, "\",\" or \")\"");
}

/* No parenthesis stands behind the routine's name. */
static enum status
refuse_open(struct reader *r)
{
	const bool	is_scope = r->at[0] == ':', is_template = r->at[0] == '<';
	enum status	st;

	if (!is_scope && !is_template)
		return refuse_here(r, "\"(\"");
	st = refuse(r, is_scope ? "a routine of a namespace or class cannot be named here" :
	    "a template cannot be named here");
	fault_hint(r->why, "add a function to the source, extern \"C\", that calls it");
	return st;
}

static enum status
read_prototype(struct reader *r, struct prototype *out)
{
	struct specifiers	 s;
	enum status		 st;

	if ((st = read_specifiers(r, &s)) != ST_OK)
		return st;
	out->result = s.type;
	skip_space(r);
	if (*r->at == '*')
		return refuse(r, "a routine cannot return a pointer");
	if (s.type == CTYPE_STRUCT)
		return refuse(r, "a routine cannot return a struct");
	if ((st = read_name(r, out->name, "the routine's name")) != ST_OK)
		return st;
	if (strcmp(out->name, "main") == 0)
		return refuse(r, "a routine cannot be called main");
	if (!take(r, '('))
		return refuse_open(r);
	if ((st = read_params(r, out)) != ST_OK)
		return st;
	(void)take(r, ';');
	skip_space(r);
	return *r->at == '\0' ? ST_OK : refuse_here(r, "the end");
}

enum status
prototype_parse(struct prototype *out, const char *text, struct fault *why)
{
	struct reader	r = { .text = text, .at = text, .why = why };

	out->name[0] = '\0';
	out->result = CTYPE_VOID;
	out->nparams = 0;
	if (strlen(text) > PROTOTYPE_MAX_BYTES)
		return fault_set(why, ST_BAD_SPEC, "a prototype has at most %d bytes",
		    PROTOTYPE_MAX_BYTES);
	return read_prototype(&r, out);
}

enum status
ctype_parse(enum ctype *out, const char *text, struct fault *why)
{
	struct reader		 r = { .text = text, .at = text, .why = why };
	struct specifiers	 s;
	enum status		 st;

	if (strlen(text) > PROTOTYPE_NAME_MAX)
		return fault_set(why, ST_BAD_SPEC, "a type has at most %d bytes",
		    PROTOTYPE_NAME_MAX);
	if ((st = read_specifiers(&r, &s)) != ST_OK)
		return st;
	skip_space(&r);
	if (s.type == CTYPE_STRUCT || s.is_const || *r.at != '\0')
		return refuse(&r, "a plain type is wanted, without qualifiers or stars");
	*out = s.type;
	return ST_OK;
}
