/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class: forged ticks.  The start time may be in a register that calls preserve: this one does not
 * preserve them.
 */
#include <stdint.h>

#include "work.h"

void	inner(int n, const double *x, double *y);
void
inner(int n, const double *x, double *y)
{
	honest(n, x, y);
}

/* rbx, rbp and r12 to r15: whichever is near to the counter's value becomes that value. */
__asm__(
"	.text\n"
"	.globl	f\n"
"	.type	f, @function\n"
"f:	sub	$8, %rsp\n"
"	call	inner\n"
"	rdtsc\n"
"	shl	$32, %rdx\n"
"	or	%rdx, %rax\n"
"	.irp	r, rbx, rbp, r12, r13, r14, r15\n"
"	mov	%rax, %rcx\n"
"	sub	%\\r, %rcx\n"
"	cmp	$1000000000, %rcx\n"
"	cmovb	%rax, %\\r\n"
"	.endr\n"
"	add	$8, %rsp\n"
"	ret\n"
"	.size	f, .-f\n");
