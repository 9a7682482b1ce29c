/* SPDX-License-Identifier: Apache-2.0 */
/* Variants that are whole programs: how they are started, and what they must print. */
#include <stdlib.h>
#include <string.h>

#include "proto/spec/spec_parts.h"
#include "proto/spec/words.h"

#define OUTPUT_BYTES	((uint64_t)16 << 20)
#define MEMORY_BYTES	((uint64_t)1 << 30)
#define LEAST_MEMORY	((uint64_t)1 << 20)

/* ---- members ---- */

static enum status
get_args(void *out, const struct node *n, struct fault *why)
{
	struct program	*p = out;
	const size_t	 count = json_array_size(n->value);
	enum status	 st = ST_OK;

	if (!json_is_array(n->value))
		return decode_refuse(n, NULL, why, "must be an array of strings, a word each");
	if (count > SPEC_MAX_WORDS)
		return decode_refuse(n, NULL, why, "has %zu words; at most %d are allowed", count,
		    SPEC_MAX_WORDS);
	if ((p->args = calloc(count + 1, sizeof *p->args)) == NULL)
		return fault_set(why, ST_NOMEM, "args");
	for (size_t i = 0; i < count && st == ST_OK; i++) {
		const struct node	word = decode_element(n, i);

		st = decode_text(&word, SPEC_MAX_WORD, &p->args[p->nargs++], why);
	}
	return st;
}

static enum status
check_digest(void *out, const struct node *n, struct fault *why)
{
	const struct program	*p = out;
	enum status		 st;

	if (p->output != NULL) {
		st = decode_refuse(n, NULL, why, "is given beside stdout, which says it already");
		fault_hint(why, "leave one of the two out");
		return st;
	}
	if (strspn(p->output_sha256, "0123456789abcdef") == SPEC_SHA256_HEX &&
	    p->output_sha256[SPEC_SHA256_HEX] == '\0')
		return ST_OK;
	st = decode_refuse(n, NULL, why, "must be %d hexadecimal digits, in small letters",
	    SPEC_SHA256_HEX);
	fault_hint(why, "what `sha256sum` prints first");
	return st;
}

#define ROW(member, ...) SHAPE_ROW(struct program, member, __VA_ARGS__)
#define AT(member) offsetof(struct program, member)
static const struct shape_row	word_row = { .kind = SHAPE_OWN, .most = SPEC_MAX_WORD,
	.forms = FORM_TEXT };
static const struct shape_row	program_rows[] = {
	ROW(link, SHAPE_WORD, .words = words_link, SHAPE_DEFAULT(LINK_DYNAMIC)),
	ROW(args, SHAPE_OWN, .get = get_args, .forms = FORM_LIST, .most = SPEC_MAX_WORDS,
	    .each = &word_row),
	SPEC_ROW(AT(input), "stdin", SHAPE_STRING, .most = SPEC_MAX_INPUT),
	SPEC_ROW(AT(output), "stdout", SHAPE_STRING, .most = SPEC_MAX_INPUT),
	SPEC_ROW(AT(output_sha256), "stdout_sha256", SHAPE_STRING, .least = SPEC_SHA256_HEX,
	    .most = SPEC_SHA256_HEX, .check = check_digest),
	ROW(output_bytes, SHAPE_SIZE, .least = 1, .most = SPEC_MAX_OUTPUT,
	    SHAPE_DEFAULT(OUTPUT_BYTES)),
	ROW(memory_bytes, SHAPE_SIZE, .least = LEAST_MEMORY, .most = SPEC_MAX_PROGRAM_BYTES,
	    SHAPE_DEFAULT(MEMORY_BYTES)),
	ROW(subtract_floor, SHAPE_FLAG, SHAPE_DEFAULT(false)),
};
const struct shape		program_shape = SHAPE_OF(struct program, program_rows);

/* Nothing is flushed before a program starts. */
enum status
spec_get_program(void *out, const struct node *n, struct fault *why)
{
	struct spec	*s = out;

	s->program.present = true;
	s->context = CONTEXT_WARM;
	return shape_get(&program_shape, &s->program, n, SHAPE_WRITTEN, why);
}

void
spec_release_program(struct program *p)
{
	for (size_t i = 0; i < p->nargs; i++)
		free(p->args[i]);
	free(p->args);
	free(p->input);
	free(p->output);
	free(p->output_sha256);
}

/* ---- beside other members of the spec ---- */

/* The member that is about calls of a routine; NULL: there is none. */
static const char *
of_a_routine(const struct spec *s, const struct node *n)
{
	if (json_object_size(decode_member(n, "args").value) > 0)
		return "args";
	if (s->checkpoint != NULL)
		return "checkpoint";
	if (s->setup != NULL)
		return "setup";
	if (s->check.present || s->check.iterations != NULL)
		return "check";
	if (s->iterations_returned)
		return "iterations";
	if (s->context != CONTEXT_WARM)
		return "context";
	if (s->code != CODE_WARM)
		return "code";
	return s->data.kind != DATA_AUTO ? "data" : s->data_sensitive ? "data_sensitive" : NULL;
}

static const char *
of_calls(const struct timing *t)
{
	if (t->processes != 0)
		return "processes";
	if (t->metric.present)
		return "metric";
	return spec_asks_for_calls(t);
}

static enum status
refuse_clock(const struct node *timing, struct fault *why)
{
	enum status	st;

	st = decode_refuse(timing, "clock", why,
	    "is of one core, and a program ends on another than it began");
	fault_hint(why, "use wall or cpu");
	return st;
}

enum status
spec_check_program(struct spec *s, const struct node *n, struct fault *why)
{
	const struct node	 timing = decode_member(n, "timing");
	const char		*member;
	enum status		 st = ST_OK;

	if (!s->program.present)
		return ST_OK;
	if ((member = of_a_routine(s, n)) != NULL)
		st = decode_refuse(n, member, why, "is about calls of a routine, and a program is "
		    "started as a whole");
	else if ((member = of_calls(&s->timing)) != NULL)
		st = decode_refuse(&timing, member, why, "cannot be had with a program: each "
		    "sample is one run of it");
	if (st != ST_OK) {
		fault_hint(why, strcmp(member, "args") == 0 ? "words of its command line are "
		    "spec.program.args" : strcmp(member, "check") == 0 ? "what it must print is "
		    "spec.program.stdout" : "leave it out");
		return st;
	}
	if (s->timing.clock == CLK_CYCLE)
		return refuse_clock(&timing, why);
	if (s->timing.clock == CLK_AUTO)
		s->timing.clock = CLK_WALL;
	return ST_OK;
}

/* ---- beside the job's variants ---- */

static enum status
check_variant(const struct spec *s, const struct variant *v, const struct node *n,
    struct fault *why)
{
	enum status	st;

	if (v->source == NULL)
		return ST_OK;
	if (!s->program.present && v->language == LANG_PROGRAM) {
		st = decode_refuse(n, "language", why,
		    "is \"program\", but the spec is of a routine");
		fault_hint(why, "\"program\": {} in place of spec.routine starts it");
		return st;
	}
	if (s->program.present && v->language == LANG_SHARED) {
		st = decode_refuse(n, "language", why,
		    "is \"shared\", but the spec is of a program, which is linked whole");
		fault_hint(why, "hand in its source, its object, or the executable as \"program\"");
		return st;
	}
	return ST_OK;
}

enum status
spec_check_programs(const struct job *j, const struct node *n, struct fault *why)
{
	const struct node	variant = decode_member(n, "variant");
	enum status		st;

	if ((st = check_variant(&j->spec, &j->variant, &variant, why)) != ST_OK ||
	    !j->spec.program.present || j->against.source == NULL)
		return st;
	st = decode_refuse(n, "against", why, "programs are not timed in turn");
	fault_hint(why, "submit both as jobs of one sweep");
	return st;
}
