/* SPDX-License-Identifier: Apache-2.0 */
/* OpenMP: a kernel with <loop_info> becomes the body of a loop of C, which threads share. */
#include "client/micro/pass/pass.h"
#include "client/micro/write/write.h"

static bool
has_no_loop(void *arg, struct kernel *k)
{
	(void)arg;
	return k->loop == NULL;
}

static bool
gate(const struct micro *m)
{
	return !kernel_each(m->root, has_no_loop, NULL);
}

static enum status
run(struct program *of, struct fault *why)
{
	of->name = write_name(of);
	return write_openmp(of, why);
}

const struct pass	pass_openmp = {
	.name = "openmp", .text = "loops of C around a kernel with <loop_info>",
	.kind = PASS_PROGRAM, .gate = gate, .run = run,
};
