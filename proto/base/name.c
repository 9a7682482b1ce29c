/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <string.h>

#include "proto/base/name.h"

static const char *const	keywords[] = {
	"auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
	"enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register",
	"restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef",
	"union", "unsigned", "void", "volatile", "while", "_Alignas", "_Alignof", "_Atomic",
	"_Bool", "_Complex", "_Generic", "_Imaginary", "_Noreturn", "_Static_assert",
	"_Thread_local", NULL
};

/* Not keywords, but a macro of this name breaks expressions or what a driver includes. */
static const char *const	taken[] = {
	"min", "max", "pow", "log2", "ceil", "floor", "defined", "main", "asm", "typeof", "bool",
	"true", "false", "complex", "NULL", "errno", "stdin", "stdout", "stderr", "assay_driver",
	NULL
};

/* Attributes in the driver's text: a macro of the name would replace them. */
static const char *const	attributes[] = { "always_inline", "noinline", NULL };

bool
name_is_among(const char *name, const char *const *names)
{
	for (; *names != NULL; names++)
		if (strcmp(*names, name) == 0)
			return true;
	return false;
}

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool
name_is_printable(const char *s)
{
	for (; *s != '\0'; s++)
		if (*s < ' ' || *s > '~')
			return false;
	return true;
}

static bool
is_of_a_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

bool
name_is_in(const char *name, const char *text, size_t bytes)
{
	const char	*at = text, *end = text + bytes;
	const size_t	 n = strlen(name);

	while ((at = memmem(at, (size_t)(end - at), name, n)) != NULL) {
		if ((at == text || !is_of_a_word(at[-1])) &&
		    (at + n == end || !is_of_a_word(at[n])))
			return true;
		at++;
	}
	return false;
}

size_t
name_length(const char *s)
{
	size_t	n = 0;

	if (!is_letter(s[0]))
		return 0;
	while (is_letter(s[n]) || (s[n] >= '0' && s[n] <= '9'))
		n++;
	return n;
}

static bool
is_identifier(const char *name)
{
	size_t	n = name_length(name);

	return n > 0 && n <= NAME_MAX_BYTES && name[n] == '\0';
}

static bool
is_keyword(const char *name)
{
	return name_is_among(name, keywords);
}

bool
name_starts(const char *name, const char *prefix)
{
	return strncmp(name, prefix, strlen(prefix)) == 0;
}

static bool
name_is_type(const char *name)
{
	size_t	n = strlen(name);

	return n > 2 && strcmp(name + n - 2, "_t") == 0;
}

static enum status
refuse_name(struct fault *why, const char *name, const char *reason)
{
	enum status	st;

	st = fault_set(why, ST_BAD_SPEC, "\"%.80s\" cannot be a name here: %s", name, reason);
	fault_hint(why, "a name is letters, digits and _, does not start with a digit, "
	    "at most %d bytes", NAME_MAX_BYTES);
	return st;
}

enum status
name_check_param(const char *name, struct fault *why)
{
	if (!is_identifier(name))
		return refuse_name(why, name, "it is not a C identifier");
	if (name[0] == '_')
		return refuse_name(why, name, "names starting with _ are the compiler's");
	if (is_keyword(name))
		return refuse_name(why, name, "it is a keyword of C");
	if (name_starts(name, "rt_") || name_starts(name, "drv_"))
		return refuse_name(why, name, "names starting with rt_ or drv_ are the driver's");
	if (name_is_type(name))
		return refuse_name(why, name, "names ending in _t are types");
	if (name_is_among(name, taken))
		return refuse_name(why, name, "it is taken by expressions or the driver");
	if (name_is_among(name, attributes))
		return refuse_name(why, name, "it is an attribute that the driver uses");
	return ST_OK;
}

enum status
name_check_routine(const char *name, struct fault *why)
{
	if (!is_identifier(name))
		return refuse_name(why, name, "it is not a C identifier");
	if (is_keyword(name))
		return refuse_name(why, name, "it is a keyword of C");
	if (name_starts(name, "rt_") || name_starts(name, "drv_"))
		return refuse_name(why, name, "names starting with rt_ or drv_ are the driver's");
	return ST_OK;
}

enum status
name_check_define(const char *name, struct fault *why)
{
	if (!is_identifier(name))
		return refuse_name(why, name, "it is not a C identifier");
	if (strcmp(name, "defined") == 0)
		return refuse_name(why, name, "the preprocessor reserves it");
	return ST_OK;
}

/* ---- files ---- */

#define FIRST_OF_FILE	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
#define REST_OF_FILE	FIRST_OF_FILE ".+-"

/* The length of a part that can stand between slashes; 0: none does. */
static size_t
part_length(const char *s)
{
	return strspn(s, FIRST_OF_FILE) > 0 ? strspn(s, REST_OF_FILE) : 0;
}

static enum status
refuse_file(struct fault *why, const char *name, const char *reason)
{
	enum status	st;

	st = fault_set(why, ST_BAD_SPEC, "\"%.80s\" cannot be a name here: %s", name, reason);
	fault_hint(why, "letters, digits and _ . + -, in parts that begin with a letter, a digit "
	    "or _");
	return st;
}

enum status
name_check_file(const char *name, size_t max_bytes, size_t max_depth, struct fault *why)
{
	const char	*at = name;
	size_t		 n;

	if (strlen(name) > max_bytes)
		return refuse_file(why, name, "it is too long");
	if (name[0] == '/')
		return refuse_file(why, name, "it is a path from the root");
	for (size_t depth = 0; (n = part_length(at)) > 0; depth++) {
		if (depth > max_depth)
			return refuse_file(why, name, "it is in too many folders");
		at += n;
		if (*at == '\0')
			return ST_OK;
		if (*at++ != '/')
			break;
	}
	if (name_starts(at, ".."))
		return refuse_file(why, name, "it leads upward");
	return refuse_file(why, name, "a part of it is no plain file name");
}

enum status
name_check_library(const char *name, struct fault *why)
{
	const size_t	n = part_length(name);

	if (n > 0 && n <= NAME_MAX_BYTES && name[n] == '\0')
		return ST_OK;
	return refuse_file(why, name, "it is not the name of a library");
}
