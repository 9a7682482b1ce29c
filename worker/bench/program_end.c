/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "worker/bench/bench_parts.h"
#include "worker/bench/proc/syscall.h"
#include "worker/bench/program_end.h"
#include "worker/cache/digest.h"

enum { LAST_WORDS = 400, EXCERPT = 40 };

/* ---- the end ---- */

/* The end of standard error, or of what was printed if that is empty; one line of ASCII. */
static void
put_last_words(const struct program_said *said, char *to, size_t bytes)
{
	const bool	 has_error = said->last_bytes > 0;
	const char	*from = has_error ? said->last : said->output;
	size_t		 n = has_error ? said->last_bytes : said->output_bytes;
	char		 words[LAST_WORDS + 1];

	while (n > 0 && (from[n - 1] == '\n' || from[n - 1] == ' '))
		n--;
	if (n > LAST_WORDS) {
		from += n - LAST_WORDS;
		n = LAST_WORDS;
	}
	bench_read_words(words, sizeof words, from, n, true);
	(void)snprintf(to, bytes, "%s%s%s", n > 0 ? "; its last words: \"" : "", words,
	    n > 0 ? "\"" : "");
}

/* Steps before the exec are ours. */
static enum status
blame_start(const struct program_run *run, struct fault *why)
{
	char	step[sizeof run->step];

	bench_read_words(step, sizeof step, run->step, sizeof run->step, false);
	if (strcmp(step, "exec") != 0)
		return fault_set(why, ST_INTERNAL, "the program cannot be started: %s: %s", step,
		    strerror(run->error));
	if (run->error == ENOMEM)
		return fault_set(why, ST_RUN_LIMIT, "the program needs more memory to start than "
		    "spec.program.memory_bytes");
	(void)fault_set(why, ST_LOAD_FAILED, "the program cannot be executed: %s",
	    strerror(run->error));
	if (run->error == ENOENT)
		fault_hint(why, "the jail does not show its dynamic linker: link it statically");
	return ST_LOAD_FAILED;
}

static enum status
blame_output(const struct program *p, struct fault *why)
{
	(void)fault_set(why, ST_RUN_LIMIT, "it printed more than %llu bytes",
	    (unsigned long long)p->output_bytes);
	fault_hint(why, "spec.program.output_bytes is the limit");
	return ST_RUN_LIMIT;
}

static enum status
blame_call(int refused, const char *words, struct fault *why)
{
	char	number[32];

	if (refused < 0)
		(void)fault_set(why, ST_FORBIDDEN, "SIGSYS: the jail refuses a system call that "
		    "the program made%s", words);
	else
		(void)fault_set(why, ST_FORBIDDEN, "SIGSYS: the jail refuses the system call %s, "
		    "which the program made%s", syscall_name(refused, number, sizeof number),
		    words);
	fault_hint(why, "a program may not start others, nor threads unless the job has threads, "
	    "nor use a network");
	return ST_FORBIDDEN;
}

static enum status
blame_signal(const struct program *p, int signo, bool oom, const char *words, struct fault *why)
{
	const char	*name = sigabbrev_np(signo) != NULL ? sigabbrev_np(signo) : "?";

	switch (signo) {
	case SIGXFSZ:
		return blame_output(p, why);
	case SIGXCPU:
		return fault_set(why, ST_RUN_LIMIT, "SIGXCPU: a resource limit was reached%s",
		    words);
	case SIGKILL:
		return fault_set(why, ST_RUN_LIMIT, oom ? "SIGKILL: the limit on memory was "
		    "reached%s" : "SIGKILL: killed by the kernel, probably for lack of memory%s",
		    words);
	default:
		return fault_set(why, ST_CRASHED, "SIG%s%s", name, words);
	}
}

bool
program_is_refused(const struct program_run *run)
{
	return run->error == 0 && WIFSIGNALED(run->status) && WTERMSIG(run->status) == SIGSYS;
}

enum status
program_end(const struct program *p, const struct program_run *run,
    const struct program_said *said, bool oom, int refused, struct fault *why)
{
	char	words[LAST_WORDS + 64];

	if (run->error != 0)
		return blame_start(run, why);
	put_last_words(said, words, sizeof words);
	if (program_is_refused(run))
		return blame_call(refused, words, why);
	if (WIFSIGNALED(run->status))
		return blame_signal(p, WTERMSIG(run->status), oom, words, why);
	/* at the limit a write is cut short, and some look at that */
	if (WEXITSTATUS(run->status) != 0 && said->output_bytes >= p->output_bytes)
		return blame_output(p, why);
	if (WEXITSTATUS(run->status) != 0)
		return fault_set(why, ST_CRASHED, "it exited with code %d%s",
		    WEXITSTATUS(run->status), words);
	return ST_OK;
}

/* ---- what it printed ---- */

static void
put_excerpt(char to[EXCERPT + 4], const char *from, size_t bytes)
{
	if (bytes == 0) {
		(void)snprintf(to, EXCERPT + 4, "its end");
		return;
	}
	to[0] = '"';
	bench_read_words(to + 1, EXCERPT, from, bytes, false);
	(void)strcat(to, "\"");
}

/* From the first byte that differs. */
static enum status
differs(const char *want, size_t want_bytes, const struct program_said *said, struct fault *why)
{
	const size_t	both = want_bytes < said->output_bytes ? want_bytes : said->output_bytes;
	char		has[EXCERPT + 4], wanted[EXCERPT + 4];
	size_t		at = 0, line = 1;

	while (at < both && want[at] == said->output[at])
		line += want[at++] == '\n';
	put_excerpt(has, said->output + at, said->output_bytes - at);
	put_excerpt(wanted, want + at, want_bytes - at);
	return fault_set(why, ST_WRONG_ANSWER, "standard output differs from spec.program.stdout "
	    "at byte %zu, in line %zu: it has %s where %s is wanted", at + 1, line, has, wanted);
}

static enum status
check_digest(const struct program *p, const struct program_said *said, struct fault *why)
{
	struct digest	*d;
	struct hash	 hash;
	enum status	 st;

	if ((st = digest_new(&d, why)) != ST_OK)
		return ST_INTERNAL;
	digest_more(d, said->output, said->output_bytes);
	if (digest_end(d, &hash) != ST_OK)
		return fault_set(why, ST_INTERNAL, "SHA-256 failed");
	if (strcmp(hash.hex, p->output_sha256) == 0)
		return ST_OK;
	return fault_set(why, ST_WRONG_ANSWER, "the SHA-256 of its standard output (%zu bytes) is "
	    "%s, not spec.program.stdout_sha256", said->output_bytes, hash.hex);
}

enum status
program_check(const struct program *p, const struct program_said *said, struct fault *why)
{
	const size_t	want = p->output != NULL ? strlen(p->output) : 0;

	if (p->output_sha256 != NULL)
		return check_digest(p, said, why);
	if (p->output == NULL || (want == said->output_bytes &&
	    memcmp(p->output, said->output, want) == 0))
		return ST_OK;
	return differs(p->output, want, said, why);
}
