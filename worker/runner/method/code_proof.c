/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/runner/method/code_proof.h"
#include "worker/runner/method/proof.h"
#include "worker/runner/sample/fill.h"
#include "worker/runner/sample/ticks.h"

/* The call that an image is going to make. */
static struct {
	const struct rt_timer	*timer;
	struct runner_sample	*out;
} coming;

/* One line in each of as many equal parts of the code, in an order that no prefetcher knows. */
static uint32_t
choose(const struct rt_timer *t, const char *at[RT_PROOF_LINES])
{
	const uint32_t	line_bytes = t->setup.line_bytes;
	const uint64_t	lines = rt_code_lines_count(&t->code, line_bytes);
	const uint64_t	secret = rt_number(rt_ticks_start(), 0), most = lines / RT_PROOF_STEP;
	const uint32_t	n = most > RT_PROOF_LINES ? RT_PROOF_LINES :
			    most > 0 ? (uint32_t)most : lines > 0;

	for (uint32_t i = 0; i < n; i++) {
		const uint32_t	part = n == RT_PROOF_LINES ? (5 * i + 3) % n : n - 1 - i;
		const uint64_t	own = lines / n, gap = n > 1 ? RT_PROOF_STEP / 2 : 0;

		at[i] = rt_code_lines_at(&t->code,
		    part * own + rt_number(secret, i) % (own - gap), line_bytes);
	}
	return n;
}

/* A call executes few of an object's lines: those that are read are all in a cache before. */
static void
leave_and_look(const struct rt_timer *t, struct runner_sample *out)
{
	const char	*at[RT_PROOF_LINES];
	const uint32_t	 n = choose(t, at);

	for (uint32_t i = 0; i < n; i++)
		(void)*(const volatile char *)at[i];
	rt_code_lines_flush(&t->code, t->setup.line_bytes);
	if (n == 0)
		return;
	out->code_found += rt_proof_found(&t->sentinel.known, n, rt_proof_read(at, n));
	out->code_proved += n;
}

static void
leave(const struct rt_timer *t, struct runner_sample *out)
{
	if (out != NULL)
		leave_and_look(t, out);
	else
		rt_code_lines_flush(&t->code, t->setup.line_bytes);
}

static void
before_call(void)
{
	leave(coming.timer, coming.out);
}

void
rt_code_leave(struct rt_timer *t, struct runner_sample *out)
{
	coming.timer = t;
	coming.out = out;
	if (t->image != NULL)
		rt_image_before_call(before_call);
	else
		leave(t, out);
}

void
rt_code_left(const struct rt_timer *t)
{
	if (t->image != NULL)
		rt_image_before_call(NULL);
}
