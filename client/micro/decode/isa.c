/* SPDX-License-Identifier: Apache-2.0 */
/* Extensions and where CPUID has them. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "client/micro/decode/isa.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

enum word { EAX, EBX, ECX, EDX };

/* Registers whose contents the system must save (XCR0): those of AVX, AVX-512 and AMX. */
enum { SAVES_NOTHING = 0, SAVES_AVX = 0x6, SAVES_AVX512 = 0xe6, SAVES_AMX = 0x60000 };

enum { NAME_BYTES = 32 };

struct extension {
	const char	*name;
	uint32_t	 leaf, subleaf;
	enum word	 word;
	unsigned	 bit;
	uint64_t	 saved;
};

#define FUNCTIONS 0x80000001u

static const struct extension	extensions[] = {
	{ "MMX", 1, 0, EDX, 23, SAVES_NOTHING },
	{ "SSE", 1, 0, EDX, 25, SAVES_NOTHING },
	{ "SSE2", 1, 0, EDX, 26, SAVES_NOTHING },
	{ "SSE3", 1, 0, ECX, 0, SAVES_NOTHING },
	{ "SSSE3", 1, 0, ECX, 9, SAVES_NOTHING },
	{ "SSE4", 1, 0, ECX, 19, SAVES_NOTHING },
	{ "SSE42", 1, 0, ECX, 20, SAVES_NOTHING },
	{ "SSE4A", FUNCTIONS, 0, ECX, 6, SAVES_NOTHING },
	{ "AES", 1, 0, ECX, 25, SAVES_NOTHING },
	{ "PCLMULQDQ", 1, 0, ECX, 1, SAVES_NOTHING },
	{ "POPCNT", 1, 0, ECX, 23, SAVES_NOTHING },
	{ "MOVBE", 1, 0, ECX, 22, SAVES_NOTHING },
	{ "CMPXCHG16B", 1, 0, ECX, 13, SAVES_NOTHING },
	{ "RDRAND", 1, 0, ECX, 30, SAVES_NOTHING },
	{ "LZCNT", FUNCTIONS, 0, ECX, 5, SAVES_NOTHING },
	{ "XOP", FUNCTIONS, 0, ECX, 11, SAVES_AVX },
	{ "FMA4", FUNCTIONS, 0, ECX, 16, SAVES_AVX },
	{ "TBM", FUNCTIONS, 0, ECX, 21, SAVES_NOTHING },
	{ "RDTSCP", FUNCTIONS, 0, EDX, 27, SAVES_NOTHING },
	{ "BMI1", 7, 0, EBX, 3, SAVES_NOTHING },
	{ "BMI2", 7, 0, EBX, 8, SAVES_NOTHING },
	{ "ADOX_ADCX", 7, 0, EBX, 19, SAVES_NOTHING },
	{ "RTM", 7, 0, EBX, 11, SAVES_NOTHING },
	{ "RDSEED", 7, 0, EBX, 18, SAVES_NOTHING },
	{ "CLFLUSHOPT", 7, 0, EBX, 23, SAVES_NOTHING },
	{ "CLWB", 7, 0, EBX, 24, SAVES_NOTHING },
	{ "SHA", 7, 0, EBX, 29, SAVES_NOTHING },
	{ "PREFETCHWT1", 7, 0, ECX, 0, SAVES_NOTHING },
	{ "WAITPKG", 7, 0, ECX, 5, SAVES_NOTHING },
	{ "GFNI", 7, 0, ECX, 8, SAVES_NOTHING },
	{ "RDPID", 7, 0, ECX, 22, SAVES_NOTHING },
	{ "CLDEMOTE", 7, 0, ECX, 25, SAVES_NOTHING },
	{ "MOVDIR", 7, 0, ECX, 28, SAVES_NOTHING },
	{ "SERIALIZE", 7, 0, EDX, 14, SAVES_NOTHING },
	{ "AVX", 1, 0, ECX, 28, SAVES_AVX },
	{ "F16C", 1, 0, ECX, 29, SAVES_AVX },
	{ "FMA", 1, 0, ECX, 12, SAVES_AVX },
	{ "AVX2", 7, 0, EBX, 5, SAVES_AVX },
	{ "AVX2GATHER", 7, 0, EBX, 5, SAVES_AVX },
	{ "AVXAES", 1, 0, ECX, 25, SAVES_AVX },
	{ "AVX_GFNI", 7, 0, ECX, 8, SAVES_AVX },
	{ "VAES", 7, 0, ECX, 9, SAVES_AVX },
	{ "VPCLMULQDQ", 7, 0, ECX, 10, SAVES_AVX },
	{ "AVX_VNNI", 7, 1, EAX, 4, SAVES_AVX },
	{ "AVX512F", 7, 0, EBX, 16, SAVES_AVX512 },
	{ "AVX512VL", 7, 0, EBX, 31, SAVES_AVX512 },
	{ "AVX512BW", 7, 0, EBX, 30, SAVES_AVX512 },
	{ "AVX512DQ", 7, 0, EBX, 17, SAVES_AVX512 },
	{ "AVX512CD", 7, 0, EBX, 28, SAVES_AVX512 },
	{ "AVX512ER", 7, 0, EBX, 27, SAVES_AVX512 },
	{ "AVX512PF", 7, 0, EBX, 26, SAVES_AVX512 },
	{ "AVX512_IFMA", 7, 0, EBX, 21, SAVES_AVX512 },
	{ "AVX512_VBMI", 7, 0, ECX, 1, SAVES_AVX512 },
	{ "AVX512_VBMI2", 7, 0, ECX, 6, SAVES_AVX512 },
	{ "AVX512_GFNI", 7, 0, ECX, 8, SAVES_AVX512 },
	{ "AVX512_VAES", 7, 0, ECX, 9, SAVES_AVX512 },
	{ "AVX512_VPCLMULQDQ", 7, 0, ECX, 10, SAVES_AVX512 },
	{ "AVX512_VNNI", 7, 0, ECX, 11, SAVES_AVX512 },
	{ "AVX512_BITALG", 7, 0, ECX, 12, SAVES_AVX512 },
	{ "AVX512_VPOPCNTDQ", 7, 0, ECX, 14, SAVES_AVX512 },
	{ "AVX512_4VNNIW", 7, 0, EDX, 2, SAVES_AVX512 },
	{ "AVX512_4FMAPS", 7, 0, EDX, 3, SAVES_AVX512 },
	{ "AVX512_VP2INTERSECT", 7, 0, EDX, 8, SAVES_AVX512 },
	{ "AVX512_FP16", 7, 0, EDX, 23, SAVES_AVX512 },
	{ "AVX512_BF16", 7, 1, EAX, 5, SAVES_AVX512 },
	{ "AMX_BF16", 7, 0, EDX, 22, SAVES_AMX },
	{ "AMX_TILE", 7, 0, EDX, 24, SAVES_AMX },
	{ "AMX_INT8", 7, 0, EDX, 25, SAVES_AMX },
};

enum { NEXTENSIONS = sizeof extensions / sizeof *extensions };
_Static_assert((int)NEXTENSIONS <= 128, "struct isa has two words of bits");

/* What every processor of 64 bits has; of SSE2MMX and the like the row with the registers. */
static const struct {
	const char	*set, *name;
} others[] = {
	{ "I86", "" }, { "I186", "" }, { "I386", "" }, { "I486", "" }, { "I486REAL", "" },
	{ "PENTIUMREAL", "" }, { "PPRO", "" }, { "CMOV", "" }, { "FCMOV", "" }, { "X87", "" },
	{ "LONGMODE", "" }, { "FAT_NOP", "" }, { "PAUSE", "" }, { "PREFETCH_NOP", "" },
	{ "FXSAVE", "" }, { "FXSAVE64", "" }, { "CLFSH", "" }, { "LAHF", "" },
	{ "PENTIUMMMX", "MMX" }, { "SSE2MMX", "SSE2" }, { "SSSE3MMX", "SSSE3" },
	{ "SSE3X87", "SSE3" }, { "SSEMXCSR", "SSE" }, { "SSE_PREFETCH", "SSE" },
};

static bool
add_known(struct isa *isa, const char *name)
{
	for (unsigned i = 0; i < NEXTENSIONS; i++)
		if (strcmp(name, extensions[i].name) == 0) {
			isa->known[i / 64] |= UINT64_C(1) << i % 64;
			return true;
		}
	return false;
}

/* "AVX512F_128N" becomes "AVX512F"; true: it was of 128 or 256 bits, which AVX512VL adds. */
static bool
cut_width(char name[NAME_BYTES])
{
	static const char *const	widths[] = { "_128", "_256", "_512", "_128N", "_SCALAR",
		"_KOP" };
	size_t				n = strlen(name);

	for (unsigned i = 0; i < sizeof widths / sizeof *widths; i++) {
		size_t	end = strlen(widths[i]);

		if (n > end && strcmp(name + n - end, widths[i]) == 0) {
			name[n - end] = '\0';
			return i < 2;
		}
	}
	return false;
}

void
isa_add(struct isa *isa, const char *set)
{
	char	name[NAME_BYTES];

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strcmp(set, others[i].set) == 0) {
			(void)add_known(isa, others[i].name);
			return;
		}
	(void)snprintf(name, sizeof name, "%s", set);
	if (strncmp(name, "AVX512", 6) == 0 && cut_width(name))
		(void)add_known(isa, "AVX512VL");
	if (!add_known(isa, name) && isa->other == NULL)
		isa->other = set;
}

const char *
isa_name(const struct isa *isa, unsigned i)
{
	for (unsigned row = 0; row < NEXTENSIONS; row++)
		if ((isa->known[row / 64] >> row % 64 & 1) != 0 && i-- == 0)
			return extensions[row].name;
	return i == 0 ? isa->other : NULL;
}

#if defined(__x86_64__)
static uint64_t
saved_registers(void)
{
	uint32_t	a, b, c, d;

	if (!__get_cpuid(1, &a, &b, &c, &d) || (c & bit_OSXSAVE) == 0)
		return 0;
	__asm__ volatile ("xgetbv" : "=a" (a), "=d" (d) : "c" (0));
	return (uint64_t)d << 32 | a;
}

static bool
has(const struct extension *e)
{
	uint32_t	words[4];

	if (!__get_cpuid_count(e->leaf, e->subleaf, &words[EAX], &words[EBX], &words[ECX],
	    &words[EDX]))
		return false;
	return (words[e->word] >> e->bit & 1) != 0 && (saved_registers() & e->saved) == e->saved;
}
#else
static bool
has(const struct extension *e)
{
	(void)e;
	return false;
}
#endif

const char *
isa_missing(const struct isa *isa)
{
	for (unsigned row = 0; row < NEXTENSIONS; row++)
		if ((isa->known[row / 64] >> row % 64 & 1) != 0 && !has(&extensions[row]))
			return extensions[row].name;
	return NULL;
}
