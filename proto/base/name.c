/* SPDX-License-Identifier: Apache-2.0 */
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

/*
 * Attributes of gcc and clang.  They stand in the driver, in variants and in headers, and a macro
 * of the name replaces them there.
 */
static const char *const	attributes[] = {
	"access", "address_space", "alias", "aligned", "alloc_align", "alloc_size",
	"always_inline", "annotate", "artificial", "assume", "assume_aligned", "availability",
	"cdecl", "cleanup", "cold", "common", "constructor", "convergent", "copy", "counted_by",
	"deprecated", "designated_init", "destructor", "diagnose_if", "disable_tail_calls",
	"enable_if", "error", "ext_vector_type", "externally_visible", "fallthrough", "fastcall",
	"fd_arg", "flag_enum", "flatten", "force_align_arg_pointer", "format", "format_arg",
	"function_return", "gcc_struct", "gnu_inline", "hardbool", "hot", "ifunc",
	"indirect_branch", "internal_linkage", "interrupt", "leaf", "loader_uninitialized",
	"malloc", "may_alias", "minsize", "mode", "ms_abi", "ms_hook_prologue", "ms_struct",
	"musttail", "naked", "no_builtin", "no_icf", "no_instrument_function",
	"no_profile_instrument_function", "no_reorder", "no_sanitize", "no_sanitize_address",
	"no_sanitize_thread", "no_sanitize_undefined", "no_split_stack", "no_stack_limit",
	"no_stack_protector", "nocf_check", "noclone", "nocommon", "noderef", "noescape",
	"noinit", "noinline", "noipa", "nonnull", "nonstring", "noplt", "noreturn",
	"not_tail_called", "nothrow", "null_terminated_string_arg", "objc_root_class",
	"optimize", "optnone", "overloadable", "packed", "pass_object_size",
	"patchable_function_entry", "persistent", "preserve_all", "preserve_most", "pure",
	"regparm", "retain", "returns_nonnull", "returns_twice", "scalar_storage_order",
	"section", "sentinel", "simd", "sseregparm", "stack_protect", "stdcall",
	"strict_flex_array", "symver", "sysv_abi", "tainted_args", "target", "target_clones",
	"thiscall", "tls_model", "transparent_union", "unavailable", "uninitialized", "unused",
	"used", "vector_size", "vectorcall", "visibility", "warn_if_not_aligned",
	"warn_unused_result", "warning", "weak", "weakref", "zero_call_used_regs", NULL
};

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
	if (is_among(name, attributes))
		return refuse_name(why, name, "it is an attribute of C compilers");
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
