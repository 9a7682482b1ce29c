/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An ATLAS-style timer, written by hand and sharing nothing with Assay: what it says is what
 * Assay's is held against.  One process times one kernel, which is linked in, and prints one line
 * of JSON.
 *
 *	cold, clflush	one call a sample, each line of each operand flushed before it
 *	cold, lru	one call a sample, an area of -f bytes read before it
 *	cold, swept	both: the area is read, then the lines are flushed
 *	cold, rotate	all calls of a sample on working sets of their own, together of at least -f bytes
 *	hot		-r calls a sample on the same operands, after one untimed
 *
 * Two ways to go wrong, to show by how much: with -S a sample is a loop of -r flushes and calls
 * less a loop of as many flushes; with -R operands are written anew before each sample.
 *
 * As in ATLAS, written operands are not restored between calls, unless -C asks for it, and what
 * reading the clock costs is not taken off.  Who starts it chooses the CPU and the scheduling
 * class.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "pace.h"
#include "routine.h"
#include "space.h"

enum {
	TLB_PAGES	= 8192,			/* several times what translation buffers hold */
	AWAKE_NS	= 100000,
};

enum method { HOT, CLFLUSH, LRU, SWEPT, ROTATE, NMETHODS };

static const char *const	method_names[NMETHODS] = { "hot", "clflush", "lru",
    "swept", "rotate" };

struct options {
	enum method	 method;
	int		 n;
	size_t		 samples, calls, flush_bytes, align, misalign;
	int		 forward;		/* rotate: sets from the first to the last, instead
						 * of backwards */
	int		 no_page_touch;		/* without Page0Guard: outputs are first written by
						 * the kernel */
	int		 no_preload;		/* without InstLdGuard: no call before the first
						 * sample */
	int		 tiny;			/* without RangeGuard: operands whose products are
						 * denormal */
	int		 huge;			/* operands on large pages, where the system has
						 * them */
	int		 no_tlb;		/* address translations are pushed out before each
						 * sample */
	int		 subtract;		/* flushes are in the region, and a loop of them
						 * alone is taken off */
	int		 refill;		/* operands are written anew before each sample */
	int		 fenced;		/* rotate: no call begins before the one before it
						 * has ended */
	int		 awake;			/* calls on operands of their own between a flush
						 * and its sample */
	int		 restore;		/* the last operand is as at first before each
						 * sample */
	const char	*clock;
};

struct bench {
	struct options		 o;
	struct clock_source	 clock;
	size_t			 sets;
	size_t			 step[ROUTINE_OPERANDS];	/* doubles from one set to the next */
	double			*home[ROUTINE_OPERANDS];	/* owned */
	double			*other[ROUTINE_OPERANDS];	/* what keeps the core awake; owned */
	double			*kept;				/* the last operand as it was at
								 * first; owned */
	char			*area, *pages;			/* owned */
	size_t			 next;				/* the set that the next call has */
};

static void
usage(void)
{
	fprintf(stderr,
	    "usage: oracle -m hot|clflush|lru|swept|rotate -n N [-s samples] [-r calls] [-f flush "
	    "bytes] [-k tsc|wall|cpu]\n"
	    "              [-a align] [-x misalign] [-F (walk forward)] [-P (pages untouched)] [-I "
	    "(code not loaded)]\n"
	    "              [-D (denormal data)] [-H (large pages)] [-T (translations pushed out)]\n"
	    "              [-B (a barrier between calls)] [-S (a loop of flushes subtracted)] [-R "
	    "(operands written anew)]\n"
	    "              [-W (calls on other operands after each flush)] [-C (the last operand "
	    "restored)]\n");
	exit(2);
}

static enum method
method_named(const char *name)
{
	for (int m = 0; m < NMETHODS; m++)
		if (strcmp(name, method_names[m]) == 0)
			return m;
	usage();
	return HOT;
}

static void
read_options(struct options *o, int argc, char **argv)
{
	int	c;

	*o = (struct options){ .n = 1000, .samples = 31, .calls = 1, .flush_bytes = 96u << 20,
	    .align = 64, .clock = "tsc" };
	while ((c = getopt(argc, argv, "m:n:s:r:f:k:a:x:FPIDHTBSRWC")) != -1)
		switch (c) {
		case 'm': o->method = method_named(optarg); break;
		case 'n': o->n = atoi(optarg); break;
		case 's': o->samples = strtoul(optarg, NULL, 10); break;
		case 'r': o->calls = strtoul(optarg, NULL, 10); break;
		case 'f': o->flush_bytes = strtoul(optarg, NULL, 10); break;
		case 'k': o->clock = optarg; break;
		case 'a': o->align = strtoul(optarg, NULL, 10); break;
		case 'x': o->misalign = strtoul(optarg, NULL, 10); break;
		case 'F': o->forward = 1; break;
		case 'P': o->no_page_touch = 1; break;
		case 'I': o->no_preload = 1; break;
		case 'D': o->tiny = 1; break;
		case 'H': o->huge = 1; break;
		case 'T': o->no_tlb = 1; break;
		case 'B': o->fenced = 1; break;
		case 'S': o->subtract = 1; break;
		case 'R': o->refill = 1; break;
		case 'W': o->awake = 1; break;
		case 'C': o->restore = 1; break;
		default: usage();
		}
	if (optind != argc || o->n < 1 || o->samples < 1 || o->calls < 1 ||
	    o->align < sizeof(double))
		usage();
	if (o->restore && o->method == ROTATE)
		usage();
	if (o->calls > 1 && o->method != HOT && o->method != ROTATE && !o->subtract)
		usage();
}

static size_t
operand_bytes(const struct bench *b, size_t k)
{
	return routine.doubles(k, b->o.n) * sizeof(double);
}

/* How far a set's operand is from the next set's, whole lines. */
static size_t
step_bytes(const struct bench *b, size_t k)
{
	return (operand_bytes(b, k) + b->o.align - 1) / b->o.align * b->o.align;
}

static void
count_sets(struct bench *b)
{
	size_t	bytes = 0;

	b->sets = 1;
	if (b->o.method != ROTATE)
		return;
	for (size_t k = 0; k < routine.operands; k++)
		bytes += step_bytes(b, k);
	b->sets = b->o.flush_bytes / bytes + 1;
}

/* From the last set to the first, so that what is used first was written longest ago. */
static void
fill(struct bench *b)
{
	for (size_t set = b->sets; set-- > 0;)
		for (size_t k = 0; k < routine.operands; k++)
			if (!b->o.no_page_touch || k + 1 < routine.operands)
				space_fill(b->home[k] + set * b->step[k],
				    routine.doubles(k, b->o.n), (unsigned)k + 1, b->o.tiny);
}

static void
make_areas(struct bench *b)
{
	if (b->o.method == LRU || b->o.method == SWEPT) {
		b->area = space_new(b->o.flush_bytes, 64, 0);
		memset(b->area, 1, b->o.flush_bytes);
	}
	if (b->o.no_tlb) {
		b->pages = space_new(TLB_PAGES * SPACE_PAGE, SPACE_PAGE, 0);
		memset(b->pages, 1, TLB_PAGES * SPACE_PAGE);
	}
}

/* A working set of the same size, as the first one is at first. */
static void
make_other(struct bench *b)
{
	for (size_t k = 0; k < routine.operands; k++) {
		b->other[k] = space_new(step_bytes(b, k), b->o.align, b->o.misalign);
		space_fill(b->other[k], routine.doubles(k, b->o.n), (unsigned)k + 1, b->o.tiny);
	}
}

static void
keep_last(struct bench *b)
{
	const size_t	last = routine.operands - 1;

	b->kept = space_new(step_bytes(b, last), b->o.align, b->o.misalign);
	memcpy(b->kept, b->home[last], operand_bytes(b, last));
}

static void
make(struct bench *b)
{
	count_sets(b);
	for (size_t k = 0; k < routine.operands; k++) {
		b->step[k] = step_bytes(b, k) / sizeof(double);
		b->home[k] = b->o.huge ? space_new_huge(b->sets * step_bytes(b, k), b->o.align) :
		    space_new(b->sets * step_bytes(b, k), b->o.align, b->o.misalign);
	}
	make_areas(b);
	if (b->o.awake)
		make_other(b);
	fill(b);
	if (b->o.awake || b->o.restore)
		keep_last(b);
	if (!b->o.no_preload)
		routine.call(b->o.n, b->home);
	b->next = b->o.forward ? 0 : b->sets - 1;
}

static void
release(struct bench *b)
{
	for (size_t k = 0; k < routine.operands; k++) {
		space_free(b->home[k]);
		space_free(b->other[k]);
	}
	space_free(b->kept);
	space_free(b->area);
	space_free(b->pages);
}

static void
flush(struct bench *b)
{
	const int	lines = b->o.method == CLFLUSH || b->o.method == SWEPT;

	if (b->area != NULL)
		space_sweep(b->area, b->o.flush_bytes);
	for (size_t k = 0; lines && k < routine.operands; k++)
		if (space_flush_lines(b->home[k], operand_bytes(b, k)) != 0)
			exit(3);
	if (b->pages != NULL)
		space_touch_pages(b->pages, TLB_PAGES);
}

/* The one that is written. */
static void
restore_last(const struct bench *b, double *const *at)
{
	memcpy(at[routine.operands - 1], b->kept, operand_bytes(b, routine.operands - 1));
}

/*
 * As if the flush had been other work of the same kind: some cores let their vector units sleep
 * without any.
 */
static void
keep_awake(struct bench *b)
{
	const uint64_t	began = b->clock.now();

	do {
		restore_last(b, b->other);
		routine.call(b->o.n, b->other);
	} while ((double)(b->clock.now() - began) * b->clock.ns_per_count < AWAKE_NS);
}

static void
advance(struct bench *b)
{
	if (b->o.forward)
		b->next = b->next + 1 == b->sets ? 0 : b->next + 1;
	else
		b->next = b->next == 0 ? b->sets - 1 : b->next - 1;
}

static void
call_next(struct bench *b)
{
	double	*at[ROUTINE_OPERANDS];

	for (size_t k = 0; k < routine.operands; k++)
		at[k] = b->home[k] + b->next * b->step[k];
	routine.call(b->o.n, at);
	if (b->o.fenced)
		space_fence();
	advance(b);
}

static double
region(struct bench *b)
{
	uint64_t	began;

	if (b->o.refill)
		fill(b);
	if (b->o.restore)
		restore_last(b, b->home);
	flush(b);
	if (b->o.awake)
		keep_awake(b);
	began = b->clock.now();
	for (size_t i = 0; i < b->o.calls; i++)
		call_next(b);
	return (double)(b->clock.now() - began);
}

/*
 * What is left when a loop of flushes is taken off a loop of flushes and calls; it may be negative.
 */
static double
subtracted(struct bench *b)
{
	uint64_t	began = b->clock.now(), called;

	for (size_t i = 0; i < b->o.calls; i++) {
		flush(b);
		call_next(b);
	}
	called = b->clock.now();
	for (size_t i = 0; i < b->o.calls; i++)
		flush(b);
	return (double)(called - began) - (double)(b->clock.now() - called);
}

static int
by_value(const void *a, const void *b)
{
	const double	x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
print_list(const char *name, const double *x, size_t n)
{
	printf(",\"%s\":[", name);
	for (size_t i = 0; i < n; i++)
		printf("%s%.3f", i > 0 ? "," : "", x[i]);
	printf("]");
}

/* Samples and paces in the order in which they were taken. */
static void
print(const struct bench *b, double *ns, const double *pace)
{
	const size_t	n = b->o.samples;

	printf("{\"routine\":\"%s\",\"method\":\"%s\",\"clock\":\"%s\",\"n\":%d,\"calls\":%zu,\"sets\":%zu,\"first_ns\":%.3f",
	    routine.name, method_names[b->o.method], b->clock.name, b->o.n, b->o.calls,
	    b->sets, ns[0]);
	print_list("samples_ns", ns, n);
	print_list("pace_ns", pace, n);
	qsort(ns, n, sizeof *ns, by_value);
	printf(",\"min_ns\":%.3f,\"median_ns\":%.3f}\n", ns[0], (ns[(n - 1) / 2] + ns[n / 2]) / 2);
}

int
main(int argc, char **argv)
{
	struct bench	 b = { .next = 0 };
	double		*ns, *pace;

	read_options(&b.o, argc, argv);
	if (clock_choose(&b.clock, b.o.clock) != 0)
		usage();
	if ((ns = calloc(2 * b.o.samples, sizeof *ns)) == NULL)
		return 1;
	pace = ns + b.o.samples;
	make(&b);
	for (size_t i = 0; i < b.o.samples; i++) {
		ns[i] = (b.o.subtract ? subtracted(&b) :
		    region(&b)) * b.clock.ns_per_count / (double)b.o.calls;
		pace[i] = pace_ns();
	}
	print(&b, ns, pace);
	release(&b);
	free(ns);
	return 0;
}
