/* SPDX-License-Identifier: Apache-2.0 */
/* code generation: the text of the program, in assembly or in C around the same instructions. */
#include "client/micro/pass/pass.h"
#include "client/micro/write/write.h"

static enum status
run(struct program *of, struct fault *why)
{
	of->name = write_name(of);
	if (of->text != NULL)			/* OpenMP has written it */
		return ST_OK;
	return of->micro->as_c ? write_c(of, why) : write_assembly(of, why);
}

const struct pass	pass_code_generation = {
	.name = "code_generation", .text = "assembly, or C with the same instructions",
	.kind = PASS_PROGRAM, .run = run,
};
