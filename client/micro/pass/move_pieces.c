/* SPDX-License-Identifier: Apache-2.0 */
/*
 * move pieces: a move whose operation moves fewer bytes than were asked for is that operation
 * several times, each on the bytes behind and with the next register of its range.
 */
#include "client/micro/pass/pass.h"

static struct pattern *
piece(struct program *of, const struct pattern *whole, unsigned n)
{
	const unsigned	 pieces = whole->candidates[whole->candidate].pieces;
	struct pattern	*p = pattern_clone(of->arena, whole);

	pattern_memory(p)->offset += (int64_t)n * whole->candidates[whole->candidate].bytes;
	p->copy = whole->copy * pieces + n;
	p->copies = whole->copies * pieces;
	return p;
}

static enum status
cut(struct program *of, struct kernel *k, struct fault *why)
{
	const struct statement	*from = k->statements;
	const size_t		 n = k->nstatements;
	enum status		 st = ST_OK;

	k->statements = NULL;
	k->nstatements = 0;
	for (size_t i = 0; i < n && st == ST_OK; i++) {
		const struct pattern	*p = from[i].pattern;

		if (from[i].kind == STATEMENT_KERNEL)
			st = cut(of, from[i].kernel, why);
		if (from[i].kind != STATEMENT_PATTERN || p->candidates[p->candidate].pieces == 1) {
			kernel_add(of->arena, k, from[i]);
			continue;
		}
		st = micro_check_size(of->micro, p->at, k->nstatements,
		    p->candidates[p->candidate].pieces, why);
		for (unsigned j = 0; st == ST_OK && j < p->candidates[p->candidate].pieces; j++)
			kernel_add_pattern(of->arena, k, piece(of, p, j));
	}
	return st;
}

static enum status
run(struct program *of, struct fault *why)
{
	return cut(of, of->root, why);
}

const struct pass	pass_move_pieces = {
	.name = "move_pieces", .text = "a move that takes several instructions becomes these",
	.kind = PASS_PROGRAM, .run = run,
};
