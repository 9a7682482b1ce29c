/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "client/print/format.h"
#include "client/print/member.h"
#include "client/print/results.h"
#include "client/print/row.h"
#include "client/report/report.h"

#define BIAS_SAID	0.01		/* from here on a reader should know */
#define SLOW_CLOCK	1.02		/* likewise */
enum { DETAIL_LINES = 20, TEXT_BYTES = 512 };

/* "  label      this, that, the other": the label with the first part, nothing at all without one. */
struct line {
	FILE		*to;
	const char	*label;
	bool		 begun;
};

static void
say(struct line *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void
say(struct line *l, const char *fmt, ...)
{
	char	text[TEXT_BYTES];
	va_list	ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (l->begun)
		(void)fprintf(l->to, ", %s", format_clean(text, false));
	else
		(void)fprintf(l->to, "  %-10s %s", l->label, format_clean(text, false));
	l->begun = true;
}

static void
end_line(struct line *l)
{
	if (l->begun)
		(void)fputc('\n', l->to);
}

static bool
has(const json_t *o, const char *name)
{
	return !isnan(member_number(o, name));
}

static const char *
plural(double n)
{
	return n == 1 ? "" : "s";
}

/* ---- the parts ---- */

static void
put_outcome(FILE *to, const json_t *result)
{
	struct result	of;
	struct row	r;
	struct fault	why;
	char		head[TEXT_BYTES];
	bool		ok;

	if (results_read_one(&of, result, &why) != ST_OK)
		return;
	ok = row_init(&r, &of);
	result_release(&of);
	if (!ok)
		return;
	(void)snprintf(head, sizeof head, "%s%s%s: %s, %s", r.name[0] != '\0' ? r.name : "(no name)",
	    r.point[0] != '\0' ? " " : "", r.point, r.word, member_text(result, "status_text"));
	(void)fprintf(to, "%s\n", format_clean(head, false));
	row_release(&r);
}

/* What went wrong, in the words it came with: a compiler's are many. */
static void
put_detail(FILE *to, const json_t *r)
{
	char	*text = strdup(member_text(r, "detail")), *line = text, *next;
	int	 shown = 0, left = 0;

	for (; line != NULL && line[0] != '\0'; line = next) {
		if ((next = strchr(line, '\n')) != NULL)
			*next++ = '\0';
		if (shown < DETAIL_LINES) {
			(void)fprintf(to, "  | %s\n", format_clean(line, false));
			shown++;
		} else {
			left++;
		}
	}
	if (left > 0)
		(void)fprintf(to, "  | (%d more line%s: --json has them all)\n", left, plural(left));
	free(text);
}

/* What the median would be on a core that nobody disturbs. */
static void
put_normalised(FILE *to, const json_t *time)
{
	const json_t	*n = json_object_get(time, "normalised");
	struct line	 l = { to, "normalised", false };
	char		 a[FORMAT_BYTES];

	if (!has(n, "median_ns"))
		return;
	say(&l, "%s", format_duration_ns(member_number(n, "median_ns"), a));
	say(&l, "spread %s", format_percent(member_number(n, "cv"), a));
	end_line(&l);
}

static void
put_times(FILE *to, const json_t *r)
{
	const json_t	*time = json_object_get(r, "time"), *ci = json_object_get(time, "ci95_ns");
	struct line	 l = { to, "minimum", false };
	char		 a[FORMAT_BYTES], b[FORMAT_BYTES];

	if (!has(time, "min_ns"))
		return;
	say(&l, "%s", format_duration_ns(member_number(time, "min_ns"), a));
	end_line(&l);
	put_normalised(to, time);
	l = (struct line){ to, "median", false };
	say(&l, "%s", format_duration_ns(member_number(time, "median_ns"), a));
	say(&l, "spread %s", format_percent(member_number(time, "cv"), a));
	if (json_array_size(ci) == 2)
		say(&l, "95 %% sure from %s to %s", format_duration_ns(json_number_value(json_array_get(ci, 0)), a),
		    format_duration_ns(json_number_value(json_array_get(ci, 1)), b));
	end_line(&l);
}

static void
put_rates(FILE *to, const json_t *r)
{
	const json_t	*rate = json_object_get(r, "rate");
	struct line	 l = { to, "rate", false };
	char		 a[FORMAT_BYTES];

	if (has(rate, "mflops_max"))
		say(&l, "%s MFLOPS", format_number(member_number(rate, "mflops_max"), a));
	if (has(rate, "gbs_max"))
		say(&l, "%s GB/s", format_number(member_number(rate, "gbs_max"), a));
	end_line(&l);
}

/* Where the operands were, and what was done to have them there. */
static void
put_context(FILE *to, const json_t *t)
{
	struct line	 l = { to, "technique", false };
	const json_t	*image = json_object_get(t, "checkpoint");
	double		 sets = member_number(t, "working_sets"), flush = member_number(t, "flush_bytes");
	char		 a[FORMAT_BYTES];

	if (member_text(t, "context")[0] != '\0')
		say(&l, "%s", member_text(t, "context"));
	if (member_text(t, "method")[0] != '\0')
		say(&l, "%s", strcmp(member_text(t, "method"), "none") == 0 ? "nothing flushed" :
		    member_text(t, "method"));
	if (member_text(image, "image")[0] != '\0')
		say(&l, "%s restarted, the last of %.0f calls", member_text(image, "image"),
		    member_number(image, "calls"));
	if (sets > 1)
		say(&l, "%.0f working sets walked %s", sets, member_text(t, "walk"));
	if (flush > 0)
		say(&l, "flushing %s", format_bytes(flush, a));
	if (member_text(t, "inout")[0] != '\0')
		say(&l, "inout operands %s", member_text(t, "inout"));
	if (member_text(t, "code")[0] != '\0')
		say(&l, "its code %s", member_text(t, "code"));
	end_line(&l);
}

/* " (alternate alpha at every call)" */
static const char *
range_form(const json_t *t, char buf[TEXT_BYTES])
{
	const json_t	*g = json_object_get(t, "range_guard");
	const char	*of = member_text(g, "of");

	buf[0] = '\0';
	if (member_text(g, "form")[0] != '\0')
		(void)snprintf(buf, TEXT_BYTES, " (%s%s%s at %s)", member_text(g, "form"), of[0] != '\0' ? " " : "", of,
		    member_text(g, "at"));
	return buf;
}

static void
put_guards(FILE *to, const json_t *t)
{
	struct line	 l = { to, "guards", false };
	const json_t	*guard;
	char		 form[TEXT_BYTES];
	size_t		 i;

	json_array_foreach(json_object_get(t, "guards"), i, guard)
		if (json_is_string(guard))
			say(&l, "%s%s", json_string_value(guard),
			    strcmp(json_string_value(guard), "RangeGuard") == 0 ? range_form(t, form) : "");
	end_line(&l);
}

static void
put_clock(FILE *to, const json_t *t)
{
	struct line	 l = { to, "clock", false };
	char		 a[FORMAT_BYTES], b[FORMAT_BYTES];

	if (member_text(t, "clock")[0] != '\0')
		say(&l, "%s", member_text(t, "clock"));
	if (has(t, "tick_hz"))
		say(&l, "ticks of %s resolving %s", format_hz(member_number(t, "tick_hz"), a),
		    format_duration_ns(member_number(t, "resolution_ns"), b));
	if (has(t, "overhead_ns"))
		say(&l, "overhead %s%s", format_duration_ns(member_number(t, "overhead_ns"), a),
		    json_is_true(json_object_get(t, "overhead_subtracted")) ? " subtracted" : "");
	if (json_is_true(json_object_get(t, "difference")))
		say(&l, "by difference");
	if (member_number(t, "bias_bound") >= BIAS_SAID)
		say(&l, "its two ends may be %s of a sample", format_percent(member_number(t, "bias_bound"), a));
	if (json_is_true(json_object_get(t, "within_noise")))
		say(&l, "the time is WITHIN ITS NOISE");
	end_line(&l);
}

static void
put_counters(FILE *to, const json_t *counters)
{
	struct line	 l = { to, "counters", false };
	const char	*name;
	json_t		*c;
	char		 a[FORMAT_BYTES];

	json_object_foreach((json_t *)(uintptr_t)counters, name, c) {
		if (has(c, "per_call"))
			say(&l, "%s %s a call", name, format_number(member_number(c, "per_call"), a));
		else
			say(&l, "%s absent: %s", name, member_text(c, "absent"));
	}
	end_line(&l);
}

static void
put_samples(FILE *to, const json_t *t)
{
	struct line	 l = { to, "samples", false };
	const json_t	*interval = json_object_get(t, "interval");
	double		 calls = member_number(t, "calls"), samples = member_number(t, "samples");
	char		 a[FORMAT_BYTES], b[FORMAT_BYTES], cpus[MEMBER_CPUS_BYTES];

	if (samples > 0 && !isnan(calls))
		say(&l, "%.0f of %.0f call%s each", samples, calls, plural(calls));
	if (has(interval, "reached"))
		say(&l, "ended by %s with the median known to %s of %s", member_text(t, "ended_by"),
		    format_percent(member_number(interval, "reached"), a),
		    format_percent(member_number(interval, "asked"), b));
	if (has(t, "cpu"))
		say(&l, "on %s", member_cpus(t, cpus));
	if (member_text(t, "scheduling")[0] != '\0')
		say(&l, "scheduling class %s", member_text(t, "scheduling"));
	end_line(&l);
}

static void
put_check(FILE *to, const json_t *r)
{
	const json_t	*check = json_object_get(r, "check");
	struct line	 l = { to, "check", false };
	double		 compared = member_number(check, "compared");

	if (!json_is_true(json_object_get(check, "done"))) {
		if (json_object_get(r, "time") != NULL && !json_is_null(json_object_get(r, "time")))
			say(&l, "none: the spec has no reference");
		end_line(&l);
		return;
	}
	say(&l, "%s", json_is_true(json_object_get(check, "passed")) ? "passed" : "FAILED");
	if (!isnan(compared))
		say(&l, "%.0f value%s compared", compared, plural(compared));
	if (has(check, "max_abs") && has(check, "max_rel"))
		say(&l, "largest error %.3g absolute and %.3g relative", member_number(check, "max_abs"),
		    member_number(check, "max_rel"));
	if (has(check, "rtol") && has(check, "atol"))
		say(&l, "allowed %.3g + %.3g of the value", member_number(check, "atol"), member_number(check, "rtol"));
	end_line(&l);
}

/* What makes a reader doubt the time; a host in order is not worth a word. */
static void
put_host(struct line *l, const json_t *evidence)
{
	const json_t	*mhz = json_object_get(evidence, "frequency_mhz");
	char		 a[FORMAT_BYTES];

	if (member_number(evidence, "steal_ms") > 0)
		say(l, "the hypervisor withheld %s", format_duration_ns(member_number(evidence, "steal_ms") * 1e6, a));
	if (json_is_true(json_object_get(evidence, "frequency_moved")))
		say(l, "THE FREQUENCY MOVED (%.0f MHz before and %.0f MHz after)",
		    json_number_value(json_array_get(mhz, 0)), json_number_value(json_array_get(mhz, 1)));
}

/* Where the core was slower than it can be, as its additions tell: by the routine's wide vectors, or before it ran. */
static void
put_pace(struct line *l, const json_t *evidence)
{
	const json_t	*clock = json_object_get(evidence, "clock");
	double		 rest = member_number(clock, "at_rest"), sampling = member_number(clock, "sampling");

	if (sampling > SLOW_CLOCK)
		say(l, "the clock at %.0f %% of its best", 100 / sampling);
	if (rest > SLOW_CLOCK)
		say(l, "%.0f %% before the routine ran", 100 / rest);
}

static void
put_evidence(FILE *to, const json_t *r)
{
	static const struct {
		const char	*member, *text;
	} counts[] = {
		{ "rejected", "sample%s rejected" },
		{ "involuntary_switches", "involuntary switch%s" },
		{ "migrations", "migration%s" },
		{ "faults", "page fault%s" },
	};
	const json_t	*e = json_object_get(r, "evidence");
	struct line	 l = { to, "evidence", false };

	for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++) {
		double	 n = member_number(e, counts[i].member);
		char	 text[64];

		if (isnan(n))
			continue;
		(void)snprintf(text, sizeof text, counts[i].text, n == 1 ? "" : i == 1 ? "es" : "s");
		say(&l, "%.0f %s", n, text);
	}
	if (has(e, "canary_rejected"))
		say(&l, "canary %s", member_text(json_object_get(r, "technique"), "canary"));
	if (has(e, "cold_over_warm"))
		say(&l, "%.2f times its warm time", member_number(e, "cold_over_warm"));
	put_pace(&l, e);
	put_host(&l, e);
	if (json_is_true(json_object_get(e, "cut_short")))
		say(&l, "cut short by its time limit");
	if (member_text(e, "failed_in")[0] != '\0')
		say(&l, "it failed in %s", member_text(e, "failed_in"));
	if (member_text(r, "trust")[0] != '\0')
		say(&l, "trust: %s", member_text(r, "trust"));
	end_line(&l);
}

static void
put_stays(FILE *to, const json_t *stays)
{
	struct line	 l = { to, "unvaried", false };
	const char	*factor;
	json_t		*reason;

	json_object_foreach((json_t *)(uintptr_t)stays, factor, reason)
		if (json_is_string(reason))
			say(&l, "%s: %s", factor, json_string_value(reason));
	end_line(&l);
}

/* What the layout is worth: "spread 3.2 % (code 3.0 %, operands 0.4 %, stack 0.1 %), repeated 0.2 %". */
static void
put_layout(FILE *to, const json_t *r)
{
	static const char *const	factors[] = { "code", "operands", "stack" };
	const json_t			*layout = json_object_get(r, "layout"), *by = json_object_get(layout, "by");
	struct line			 l = { to, "layout", false };
	char				 parts[TEXT_BYTES] = "", a[FORMAT_BYTES];
	size_t				 used = 0;

	if (!has(layout, "spread"))
		return;
	for (unsigned i = 0; i < sizeof factors / sizeof factors[0]; i++)
		if (has(by, factors[i]))
			used += (size_t)snprintf(parts + used, sizeof parts - used, "%s%s %s", used > 0 ? ", " : " (",
			    factors[i], format_percent(member_number(by, factors[i]), a));
	say(&l, "spread %s%s%s", format_percent(member_number(layout, "spread"), a), parts, used > 0 ? ")" : "");
	if (has(layout, "repeat"))
		say(&l, "repeated %s", format_percent(member_number(layout, "repeat"), a));
	say(&l, "%.0f layouts", member_number(layout, "layouts"));
	if (json_is_true(json_object_get(layout, "cut_short")))
		say(&l, "cut short by the time limit");
	end_line(&l);
	put_stays(to, json_object_get(layout, "stays"));
}

static void
put_range(FILE *to, const json_t *r)
{
	const char	*warning = member_text(json_object_get(json_object_get(r, "evidence"), "range"), "warning");
	struct line	 l = { to, "numbers", false };

	if (warning[0] != '\0')
		say(&l, "%s", warning);
	end_line(&l);
}

static void
put_build(FILE *to, const json_t *r)
{
	const json_t	*c = json_object_get(r, "compiler"), *flag;
	const char	*name = member_text(c, "name"), *version = member_text(c, "version");
	struct line	 l = { to, "compiler", false };
	char		 words[TEXT_BYTES] = "";
	size_t		 i, used = 0;

	if (name[0] == '\0')
		return;
	json_array_foreach(json_object_get(r, "flags"), i, flag)
		if (json_is_string(flag) && used < sizeof words)
			used += (size_t)snprintf(words + used, sizeof words - used, " %s", json_string_value(flag));
	say(&l, "%s%s", name, words);
	if (version[0] != '\0')
		say(&l, "%s", version);
	if (member_text(c, "target")[0] != '\0')
		say(&l, "%s", member_text(c, "target"));
	end_line(&l);
}

static void
put_job(FILE *to, const json_t *r)
{
	const json_t	*stages = json_object_get(r, "stages_ms");
	struct line	 l = { to, "job", false };
	const char	*name;
	json_t		*ms;
	char		 a[FORMAT_BYTES];

	if (has(r, "job"))
		say(&l, "%.0f", member_number(r, "job"));
	json_object_foreach((json_t *)(uintptr_t)stages, name, ms)
		if (json_is_number(ms))
			say(&l, "%s %s", name, format_duration_ns(json_number_value(ms) * 1e6, a));
	end_line(&l);
}

void
report_print(FILE *to, const json_t *result)
{
	const json_t	*technique = json_object_get(result, "technique");

	put_outcome(to, result);
	put_detail(to, result);
	put_times(to, result);
	put_rates(to, result);
	put_context(to, technique);
	put_guards(to, technique);
	put_clock(to, technique);
	put_samples(to, technique);
	put_counters(to, json_object_get(result, "counters"));
	put_layout(to, result);
	put_check(to, result);
	put_evidence(to, result);
	put_range(to, result);
	put_build(to, result);
	put_job(to, result);
}
