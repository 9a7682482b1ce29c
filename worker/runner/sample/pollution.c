/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "worker/runner/sample/memalign.h"
#include "worker/runner/sample/pollution.h"

#define LEAST_PAGES	64u

static volatile uint64_t	sink;

#if defined(__x86_64__)
/*
 * Leaf 0x18: one level a subleaf; in edx the kind (1 data, 3 and 5 both), in ebx ways and page
 * sizes, in ecx sets.
 */
static uint64_t
entries_of_leaf_18(void)
{
	unsigned	a, b, c, d, last;
	uint64_t	most = 0;

	if (!__get_cpuid_count(0x18, 0, &last, &b, &c, &d))
		return 0;
	for (unsigned i = 0; i <= last && i < 32; i++) {
		unsigned	kind;

		__cpuid_count(0x18, i, a, b, c, d);
		kind = d & 0x1f;
		if ((kind == 1 || kind == 3 || kind == 5) && (b & 1) &&
		    (uint64_t)(b >> 16) * c > most)
			most = (uint64_t)(b >> 16) * c;
	}
	return most;
}

/* Leaf 2: bytes that stand for caches; four of them for a second-level TLB. */
static uint64_t
entries_of_leaf_2(void)
{
	unsigned	word[4];

	if (!__get_cpuid(2, &word[0], &word[1], &word[2], &word[3]))
		return 0;
	for (int i = 0; i < 4; i++)
		for (int byte = i == 0; byte < 4 && !(word[i] >> 31); byte++)
			switch (word[i] >> 8 * byte & 0xff) {
			case 0xca: return 512;
			case 0xc1: return 1024;
			case 0xc3: return 1536;
			case 0xc4: return 2048;
			}
	return 0;
}

static uint64_t
entries_told(void)
{
	unsigned	a, b, c, d;
	uint64_t	n = entries_of_leaf_18();

	if (n == 0)
		n = entries_of_leaf_2();
	if (n == 0 && __get_cpuid(0x80000006, &a, &b, &c, &d))
		n = b >> 16 & 0xfff;		/* AMD: the second-level data TLB for small pages */
	return n;
}
#else
static uint64_t
entries_told(void)
{
	return 0;
}
#endif

uint64_t
rt_tlb_entries(void)
{
	uint64_t	n = entries_told();

	return n != 0 ? n : RT_POLLUTION_ENTRIES;
}

/* The same memory again and again, each time with translations of its own. */
static int
map_chunks(struct rt_pollution *a, int fd, uint64_t bytes)
{
	for (uint64_t done = 0; done < bytes; done += a->chunk_pages * RT_POLLUTION_PAGE)
		if (mmap(a->at + done, a->chunk_pages * RT_POLLUTION_PAGE,
		    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd, 0) == MAP_FAILED)
			return 0;
	madvise(a->at, bytes, MADV_NOHUGEPAGE);
	return 1;
}

static int
map_all(struct rt_pollution *a)
{
	uint64_t	bytes = a->pages * RT_POLLUTION_PAGE;
	int		fd = memfd_create("assay-pollution", MFD_CLOEXEC), ok;

	if (fd < 0)
		return 0;
	a->at = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (a->at == MAP_FAILED)
		a->at = NULL;
	ok = a->at != NULL && ftruncate(fd, (off_t)(a->chunk_pages * RT_POLLUTION_PAGE)) == 0 &&
	    map_chunks(a, fd, bytes);
	close(fd);
	return ok;
}

const char *
rt_pollution_make(struct rt_pollution *a, uint64_t inner_bytes, uint32_t line_bytes)
{
	const uint64_t	in_page = RT_POLLUTION_PAGE / line_bytes;
	uint64_t	chunks;

	memset(a, 0, sizeof *a);
	a->line_bytes = line_bytes;
	a->chunk_pages =
	    (inner_bytes + inner_bytes / 4 + RT_POLLUTION_PAGE - 1) / RT_POLLUTION_PAGE;
	if (a->chunk_pages < LEAST_PAGES)
		a->chunk_pages = LEAST_PAGES;
	if (a->chunk_pages > RT_POLLUTION_MOST_PAGES)
		a->chunk_pages = RT_POLLUTION_MOST_PAGES;
	chunks = (RT_POLLUTION_TLBS * rt_tlb_entries() + a->chunk_pages - 1) / a->chunk_pages;
	if (chunks > RT_POLLUTION_MOST_PAGES / a->chunk_pages)
		chunks = RT_POLLUTION_MOST_PAGES / a->chunk_pages;
	a->pages = chunks * a->chunk_pages;
	a->lines = (uint32_t)((in_page + chunks - 1) / chunks);
	if (map_all(a))
		return NULL;
	rt_pollution_free(a);
	return "no memory to pollute the caches with";
}

/*
 * A fork copies translations only where a mapping has memory of its own: one written page.  Else
 * each child has a fault for every few pages, 1.6 ms in all.
 */
static void
keep_for_children(const struct rt_pollution *a)
{
	for (uint64_t i = 0; i < a->pages; i += a->chunk_pages)
		*(volatile char *)(a->at + i * RT_POLLUTION_PAGE) = 1;
	for (uint64_t i = 0; i < a->pages; i++)
		(void)*(const volatile char *)(a->at + i * RT_POLLUTION_PAGE);
}

/* In memory, since pages that were never written are all the same page of zeros. */
const char *
rt_pollution_make_tables(struct rt_pollution *a, uint64_t bytes)
{
	if (bytes == 0)
		return NULL;
	keep_for_children(a);
	if ((a->tables = rt_memalign(bytes, RT_POLLUTION_PAGE, 0)) == NULL)
		return "no memory to drive page tables out of the caches with";
	rt_memalign_bring_in(a->tables, bytes);
	memset(a->tables, 1, bytes);
	a->tables_bytes = bytes;
	return NULL;
}

void
rt_pollution_free(struct rt_pollution *a)
{
	rt_memalign_free(a->tables);
	if (a->at != NULL)
		munmap(a->at, a->pages * RT_POLLUTION_PAGE);
	memset(a, 0, sizeof *a);
}

void
rt_pollution_enter(const struct rt_pollution *a)
{
	/* If the kernel cannot do it at once, the first reading does it page by page. */
	(void)madvise(a->at, a->pages * RT_POLLUTION_PAGE, MADV_POPULATE_READ);
}

/* Each chunk reads other lines of its memory. */
static void
fill_inner(const struct rt_pollution *a)
{
	const uint64_t	in_page = RT_POLLUTION_PAGE / a->line_bytes;
	uint64_t	sum = 0;

	for (uint64_t i = 0; i < a->pages; i++) {
		const volatile char	*page = a->at + i * RT_POLLUTION_PAGE;
		uint64_t		 first = i / a->chunk_pages * a->lines;

		for (uint64_t n = first; n < first + a->lines; n++)
			sum += (unsigned char)page[n % in_page * a->line_bytes];
	}
	sink += sum;
}

static void
read_tables(const struct rt_pollution *a)
{
	for (uint64_t at = 0; at < a->tables_bytes; at += a->line_bytes)
		(void)*(const volatile char *)(a->tables + at);
}

void
rt_pollute(const struct rt_pollution *a, int all)
{
	if (all)
		read_tables(a);
	fill_inner(a);
}
