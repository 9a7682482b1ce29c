/* SPDX-License-Identifier: Apache-2.0 */
#include <sys/sysinfo.h>

#include "worker/check/answer.h"
#include "worker/plan/sizes.h"
#include "worker/trial/footprint.h"

#define REST_BYTES	((uint64_t)1 << 30)	/* mappings of a variant beside its operands */
#define OPERAND_SPARE	((uint64_t)8 << 20)	/* for aligning and guarding one operand */
#define POLLUTION_BYTES	((uint64_t)64 << 20)	/* see worker/runner/sample/pollution.h */

/* First contents beside it, a negated copy, the room of a static array for one. */
static unsigned
copies_of(const struct spec *s, size_t arg)
{
	const struct operand	*o = &s->args[arg].operand;
	const bool		 is_own = o->access != ACCESS_IN || o->state == LINE_DIRTY;

	return 1 + (is_own || spec_is_paired(s, arg)) + (o->memory == MEMORY_STATIC);
}

/* With the first contents of written ones; *operands: how many there are. */
static uint64_t
operands_bytes(const struct spec *s, uint64_t *operands)
{
	uint64_t	bytes = 0;

	*operands = 0;
	for (size_t i = 0; i < s->routine.nparams; i++) {
		const struct operand	*o = &s->args[i].operand;

		if (!s->args[i].is_operand)
			continue;
		++*operands;
		bytes += o->elements * spec_element_bytes(o) * copies_of(s, i);
	}
	return bytes;
}

/*
 * An operand that is only read and has other inputs has a second home.  Pages of it are there only
 * if the plan draws any (NULL: all of them).
 */
static uint64_t
drawn_bytes(const struct spec *s, const struct plan *p)
{
	uint64_t	bytes = 0;
	unsigned	k = 0;

	for (size_t i = 0; i < s->routine.nparams; i++) {
		const struct operand	*o = &s->args[i].operand;

		if (!s->args[i].is_operand)
			continue;
		if ((p == NULL || p->inputs[k] != 0) && o->access == ACCESS_IN &&
		    spec_inputs(o) > 1)
			bytes += o->elements * spec_element_bytes(o) *
			    (spec_is_paired(s, i) ? 2 : 1);
		k++;
	}
	return bytes;
}

/* The largest area that this plan, or what an open one may become, will ask for. */
static uint64_t
area_bytes(const struct spec *s, const struct plan *p, const struct slot *slot,
    const struct tick *tick)
{
	struct plan	other = *p;

	plan_close(&other, s, slot, tick, 0);
	return plan_area_bytes(&other, s, slot);
}

enum status
footprint_memory(uint64_t *bytes, const struct job *job, const struct plan *p,
    const struct slot *slot, const struct tick *tick, struct fault *why)
{
	const struct spec *s = &job->spec;
	const uint64_t	more = job->copies > 1 ? job->copies - 1 : 0;
	struct sysinfo	info;
	uint64_t	operands, own = operands_bytes(s, &operands);
	uint64_t	lanes = RUNNER_LANES * answer_output_bytes(s);
	uint64_t	one = own + drawn_bytes(s, p) + lanes + area_bytes(s, p, slot, tick);
	uint64_t	all = one + more * (own + drawn_bytes(s, p) + answer_output_bytes(s));

	if (sysinfo(&info) == 0 && all > (uint64_t)info.totalram * info.mem_unit / 10 * 8)
		return fault_set(why, ST_RUN_LIMIT,
		    "the operands need %.1f GiB, and this machine has %.1f", (double)all / 0x1p30,
		    (double)info.totalram * info.mem_unit / 0x1p30);
	*bytes = one + drawn_bytes(s, NULL) - drawn_bytes(s, p) + 3 * operands * OPERAND_SPARE +
	    REST_BYTES + PLAN_WAKE_BYTES + POLLUTION_BYTES + sizes_of_tables(slot) +
	    2 * (slot->l1_bytes + slot->l2_bytes);
	return ST_OK;
}

enum status
footprint_check(const struct spec *s, const struct runner_driver *d, struct fault *why)
{
	uint32_t	k = 0;

	for (size_t i = 0; i < s->routine.nparams; i++) {
		if (!s->args[i].is_operand)
			continue;
		if (k >= d->operands || d->count[k] != s->args[i].operand.elements)
			return fault_set(why, ST_INTERNAL,
			    "the driver gives \"%s\" another size than the spec",
			    s->routine.params[i].name);
		k++;
	}
	return ST_OK;
}
