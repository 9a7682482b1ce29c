/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_MICRO_H
#define ASSAY_MICRO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Passes of your own for assay-micro, as a shared object:
 *
 *	#include <assay/assay-micro.h>
 *
 *	const unsigned	assay_micro_plugin_version = ASSAY_MICRO_VERSION;
 *
 *	int
 *	assay_micro_plugin(struct micro *m)
 *	{
 *		return assay_micro_remove(m, "swap_after") ? 0 : 1;
 *	}
 *
 *	cc -shared -fPIC -o mine.so mine.c
 *	assay micro generate --plugin ./mine.so kernel.xml
 *
 * The two names above are what a plugin must have.  It runs in a process of its own, which is
 * ended if it takes too long.  The functions that this header declares are the program's: nothing
 * is linked with.
 *
 * Texts that are given are copied; texts that are returned last as long as the program or the
 * description that they belong to.  Indices are from 0.  Each call with an index that is too large,
 * or a name that there is not, changes nothing and returns false, NULL or 0.
 *
 * Of this version only enumerators and functions are added; whatever else changes has another.
 */
#define ASSAY_MICRO_VERSION 1

struct micro;		/* a description, its options and its passes */
struct program;		/* one program on its way through the passes */
struct kernel;		/* a series of instructions, with a loop around it or not */
struct pattern;		/* an instruction: until its passes have run, with choices ahead */
struct fault;		/* words for the user */

#ifdef __cplusplus
extern "C" {
#endif

/* What a plugin has. */
extern const unsigned	assay_micro_plugin_version;
/* Called once, when the description has been read.  Not 0: no program is to be made. */
int			assay_micro_plugin(struct micro *);

/* ---- passes ---- */

/*
 * Passes run in the order of their list, which assay micro generate --passes prints.  Those that
 * choose say in advance among how many ways, of an instruction or a kernel as it is described: from
 * that all programs are counted.  `apply` gets one of them, from 0.
 */
enum assay_micro_kind {
	ASSAY_MICRO_KERNEL,	/* kernel_ways, kernel_apply: chooses for a kernel */
	ASSAY_MICRO_BEFORE,	/* ways, apply: chooses for an instruction and all its copies */
	ASSAY_MICRO_AFTER,	/* ways, apply: chooses for each copy that unrolling has made */
	ASSAY_MICRO_PROGRAM	/* run: changes a program, without a choice */
};

struct assay_micro_pass {
	unsigned		 version;	/* ASSAY_MICRO_VERSION */
	const char		*name;		/* in no other pass */
	const char		*text;		/* what it does, in one line */
	enum assay_micro_kind	 kind;

	/* NULL: always.  Asked for a description: false turns the pass off. */
	bool			 (*gate)(const struct micro *);

	/* What its kind names must be there. */
	uint64_t		 (*kernel_ways)(const struct kernel *);		/* at least 1 */
	void			 (*kernel_apply)(struct program *, struct kernel *, uint64_t way);
	uint64_t		 (*ways)(const struct pattern *);		/* at least 1 */
	void			 (*apply)(struct program *, struct pattern *, uint64_t way);
	bool			 (*run)(struct program *, struct fault *);
};

/*
 * For assay_micro_plugin alone.  false: there is no pass `name`, the new one's name is taken, its
 * version is another, it lacks what its kind names, or there are 64; what was wrong is printed.
 */
bool		 assay_micro_insert_before(struct micro *, const char *name,
		    const struct assay_micro_pass *);
bool		 assay_micro_insert_after(struct micro *, const char *name,
		    const struct assay_micro_pass *);
bool		 assay_micro_replace(struct micro *, const char *name,
		    const struct assay_micro_pass *);
bool		 assay_micro_remove(struct micro *, const char *name);
bool		 assay_micro_move_after(struct micro *, const char *name, const char *other);
/* NULL: the pass always runs. */
bool		 assay_micro_set_gate(struct micro *, const char *name,
		    bool (*gate)(const struct micro *));

/* ---- in a pass ---- */

/* Returns false, so that `return assay_micro_refuse(why, "…")` ends a pass and all programs. */
bool		 assay_micro_refuse(struct fault *, const char *words);

const char	*assay_micro_path(const struct micro *);	/* of the description */
const char	*assay_micro_machine(const struct micro *);	/* "x86_64", "aarch64" */
const struct micro *assay_micro_of(const struct program *);
uint64_t	 assay_micro_index(const struct program *);	/* its number */
/* The program is none of the result. */
void		 assay_micro_drop(struct program *);
/* Before code generation has run, NULL; after it, what it has written. */
const char	*assay_micro_text(const struct program *);
void		 assay_micro_set_text(struct program *, const char *text);

/* ---- kernels ---- */

struct kernel	*assay_micro_kernel(struct program *, size_t i);	/* outer ones first */
uint64_t	 assay_micro_unroll(const struct kernel *);	/* chosen; 1: is not unrolled */
/* Instructions of a kernel in their order, without those of kernels in it. */
size_t		 assay_micro_count(const struct kernel *);
struct pattern	*assay_micro_instruction(const struct kernel *, size_t i);
/* A new instruction before the i-th, or behind all; it has no operands yet. */
struct pattern	*assay_micro_add(struct program *, struct kernel *, size_t i,
		    const char *operation);
bool		 assay_micro_delete(struct kernel *, size_t i);

/* ---- instructions ---- */

enum assay_micro_operand {
	ASSAY_MICRO_NONE, ASSAY_MICRO_REGISTER, ASSAY_MICRO_MEMORY, ASSAY_MICRO_IMMEDIATE
};

const char	*assay_micro_operation(const struct pattern *);
bool		 assay_micro_set_operation(struct program *, struct pattern *, const char *);
unsigned	 assay_micro_line(const struct pattern *);	/* of the description */
/* Words behind the instruction in the program; NULL: none. */
void		 assay_micro_set_comment(struct program *, struct pattern *, const char *words);

/* Operands stand as AT&T has them: the destination is the last one.  There are four at most. */
size_t		 assay_micro_operands(const struct pattern *);
enum assay_micro_operand assay_micro_operand(const struct pattern *, size_t i);
/* The register, or that with the address: "r1", "%eax", "%xmm" where its number ranges. */
const char	*assay_micro_register(const struct pattern *, size_t i);
int64_t		 assay_micro_offset(const struct pattern *, size_t i);
int64_t		 assay_micro_immediate(const struct pattern *, size_t i);

bool		 assay_micro_set_register(struct program *, struct pattern *, size_t i,
		    const char *name);
bool		 assay_micro_set_offset(struct pattern *, size_t i, int64_t bytes);
bool		 assay_micro_set_immediate(struct pattern *, size_t i, int64_t value);
bool		 assay_micro_swap(struct pattern *, size_t i, size_t j);
/* Another operand behind those that there are. */
bool		 assay_micro_add_register(struct program *, struct pattern *, const char *name);
bool		 assay_micro_add_memory(struct program *, struct pattern *, const char *base,
		    int64_t offset);
bool		 assay_micro_add_immediate(struct pattern *, int64_t value);

#ifdef __cplusplus
}
#endif
#endif
