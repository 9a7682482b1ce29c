/* SPDX-License-Identifier: Apache-2.0 */
/* Machine code → what it does (Zydis). */
#include <string.h>

#include <Zydis/Zydis.h>

#include "client/micro/decode/decode.h"

/* One instruction. */
struct step {
	size_t			 offset;
	ZydisDecodedInstruction	 is;
	ZydisDecodedOperand	 operands[ZYDIS_MAX_OPERAND_COUNT];
};

/* A loop: from its first instruction's offset to its branch's. */
struct span {
	size_t	from, to;
	bool	is_there;
};

typedef void	 step_fn(void *arg, const struct step *);

static enum status
each_step(const struct function *f, step_fn *visit, void *arg, struct fault *why)
{
	ZydisDecoder	decoder;
	struct step	s;

	if (!ZYAN_SUCCESS(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
	    ZYDIS_STACK_WIDTH_64)))
		return fault_set(why, ST_INTERNAL, "the decoder does not start");
	for (s.offset = 0; s.offset < f->bytes; s.offset += s.is.length) {
		if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, f->code + s.offset,
		    f->bytes - s.offset, &s.is, s.operands)))
			return fault_set(why, ST_BAD_SPEC, "%s: byte %zu is the start of no known "
			    "instruction", f->name, s.offset);
		visit(arg, &s);
	}
	return ST_OK;
}

/* ---- first time: the innermost loop ---- */

struct survey {
	struct span	 best;
	size_t		 latest;	/* where the last loop so far begins, plus one; 0: none */
	unsigned	 loops;
	size_t		 other;		/* where the last branch that makes none is, plus one */
	struct decoded	*to;
};

static bool
is_branch(const struct step *s)
{
	return s->is.meta.category == ZYDIS_CATEGORY_COND_BR ||
	    s->is.meta.category == ZYDIS_CATEGORY_UNCOND_BR ||
	    s->is.meta.category == ZYDIS_CATEGORY_CALL;
}

/* A jump to an instruction before it, or to itself. */
static bool
is_back(const struct step *s, size_t *target)
{
	uint64_t	at;

	if (!is_branch(s) || s->is.meta.category == ZYDIS_CATEGORY_CALL)
		return false;
	if (s->operands[0].type != ZYDIS_OPERAND_TYPE_IMMEDIATE ||
	    !ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&s->is, &s->operands[0], s->offset, &at)) ||
	    at > s->offset)
		return false;
	*target = at;
	return true;
}

static void
survey(void *arg, const struct step *s)
{
	struct survey	*all = arg;
	size_t		 target;

	all->to->instructions++;
	isa_add(&all->to->isa, ZydisISASetGetString(s->is.meta.isa_set));
	if (!is_back(s, &target)) {
		if (is_branch(s))
			all->other = s->offset + 1;
		return;
	}
	all->loops++;
	/* Loops end in the order of their branches: one that begins no later has one in it. */
	if (target + 1 > all->latest) {
		all->latest = target + 1;
		if (!all->best.is_there || s->offset - target > all->best.to - all->best.from)
			all->best = (struct span){ target, s->offset, true };
	}
}

/* ---- second time: what is in it ---- */

struct count {
	struct span	 span;
	struct traffic	*to;
};

/* Hints; and calls, whose bytes are the stack's and not the kernel's. */
static bool
moves_nothing(const struct step *s)
{
	return s->is.meta.category == ZYDIS_CATEGORY_RET ||
	    s->is.meta.category == ZYDIS_CATEGORY_CALL ||
	    s->is.meta.category == ZYDIS_CATEGORY_PREFETCH ||
	    s->is.meta.category == ZYDIS_CATEGORY_PREFETCHWT1 ||
	    s->is.meta.category == ZYDIS_CATEGORY_NOP ||
	    s->is.meta.category == ZYDIS_CATEGORY_WIDENOP;
}

static void
count(void *arg, const struct step *s)
{
	const struct count	*c = arg;
	uint64_t		 loaded = 0, stored = 0;

	if (c->span.is_there && (s->offset < c->span.from || s->offset > c->span.to))
		return;
	c->to->instructions++;
	for (unsigned i = 0; i < s->is.operand_count && !moves_nothing(s); i++) {
		const ZydisDecodedOperand	*o = &s->operands[i];

		if (o->type != ZYDIS_OPERAND_TYPE_MEMORY || o->mem.type == ZYDIS_MEMOP_TYPE_AGEN)
			continue;
		if ((o->actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0)
			loaded += o->size / 8;
		if ((o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0)
			stored += o->size / 8;
	}
	c->to->loads += loaded != 0;
	c->to->stores += stored != 0;
	c->to->loaded_bytes += loaded;
	c->to->stored_bytes += stored;
}

/* ---- both ---- */

static uint64_t
hash(const unsigned char *at, size_t bytes)
{
	uint64_t	h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < bytes; i++)
		h = (h ^ at[i]) * UINT64_C(0x100000001b3);
	return h;
}

enum status
decoded_of(enum machine machine, const struct function *f, struct decoded *to, struct fault *why)
{
	struct survey	all = { .to = to };
	struct count	one;
	enum status	st;

	*to = (struct decoded){
		.machine = machine, .code_bytes = f->bytes, .code_hash = hash(f->code, f->bytes)
	};
	if (machine == MACHINE_AARCH64) {
		to->instructions = to->loop.instructions = (unsigned)(f->bytes / 4);
		return ST_OK;
	}
	if ((st = each_step(f, survey, &all, why)) != ST_OK)
		return st;
	to->has_loop = all.best.is_there;
	to->is_straight = all.loops == 1 && all.other <= all.best.from;
	one = (struct count){ .span = all.best, .to = &to->loop };
	return each_step(f, count, &one, why);
}

enum status
decoded_of_object(const unsigned char *at, size_t bytes, const char *name, struct decoded *to,
    struct fault *why)
{
	struct elf	e;
	struct function	f;
	enum status	st;

	if ((st = elf_open(&e, at, bytes, why)) != ST_OK ||
	    (st = elf_function(&e, name, &f, why)) != ST_OK)
		return st;
	return decoded_of(e.machine, &f, to, why);
}

static json_t *
isa_names(const struct decoded *d)
{
	json_t		*names = json_array();
	const char	*name;

	if (d->machine != MACHINE_X86_64)
		(void)json_array_append_new(names, json_string("unknown: AArch64 is not decoded"));
	for (unsigned i = 0; (name = isa_name(&d->isa, i)) != NULL; i++)
		(void)json_array_append_new(names, json_string(name));
	return names;
}

json_t *
decoded_meta(const struct decoded *d)
{
	if (d->machine != MACHINE_X86_64)
		return json_pack("{s:I, s:o}", "instructions", (json_int_t)d->instructions, "isa",
		    isa_names(d));
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:b, s:o}",
	    "instructions", (json_int_t)d->loop.instructions,
	    "loads", (json_int_t)d->loop.loads, "stores", (json_int_t)d->loop.stores,
	    "loaded_bytes", (json_int_t)d->loop.loaded_bytes,
	    "stored_bytes", (json_int_t)d->loop.stored_bytes, "straight", d->is_straight,
	    "isa", isa_names(d));
}

/* Wider registers alone: narrow ones do the same. */
static bool
is_of_width(const char *extension)
{
	static const char *const	names[] = { "AVX", "AVX2", "AVX512F", "AVX512VL",
					    "AVX512BW", "AVX512DQ" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(extension, names[i]) == 0)
			return true;
	return false;
}

enum status
decoded_check_host(const struct decoded *d, const char *program, struct fault *why)
{
	const char	*name = isa_missing(&d->isa);

	if (d->machine != machine_of_host())
		return fault_at(why, ST_BAD_SPEC, program, "it is for %s, and this host is %s",
		    machine_word(d->machine), machine_word(machine_of_host()));
	if (name == NULL)
		return ST_OK;
	(void)fault_at(why, ST_BAD_SPEC, program, "it needs %s, which this host does not have",
	    name);
	fault_hint(why, is_of_width(name) ? "use --vector 16, or a host that has it" :
	    "use a host that has it, or leave out the instructions that need it");
	return ST_BAD_SPEC;
}
