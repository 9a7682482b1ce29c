# SPDX-License-Identifier: Apache-2.0
"""
What a builder makes in a second, against bare gcc on the same sources and the same CPU: short programs of assembly, small
variants of C and one large one.  A builder's time is the sum of the stages `build` of a sweep's jobs, so what the timing
slot does meanwhile is no part of it.  gcc compiles half of the sources before the sweep and half after.
"""
import shutil

from figure import Figure, HOUSE_CPU, compiled_s
from bench_rate import sources

FIGURES = {"asm_builds_per_s": ">= 100", "asm_builds_vs_gcc": ">= 2", "c_builds_vs_gcc": ">= 1.1", "large_builds_vs_gcc": ">= 1.1"}
ASSEMBLY, SMALL, LARGE = 256, 64, 8
FLAGS = ["-O3"]

ROUTINE = """\
	.text
	.globl	dotprod
	.type	dotprod, @function
	.p2align 6
dotprod:
	xorps	%xmm0, %xmm0
	movslq	%edi, %rdi
	xorl	%eax, %eax
.L1:
{body}
	addq	${unroll}, %rax
	cmpq	%rdi, %rax
	jl	.L1
	movsd	${tag}(%rsi), %xmm1
	ret
	.size	dotprod, . - dotprod
	.section .note.GNU-stack,"",@progbits
"""


def programs():
    """Like those that a description of a micro-kernel makes: twenty to forty lines."""
    body = "\tmovsd\t{at}(%rsi,%rax,8), %xmm{r}\n\tmulsd\t{at}(%rdx,%rax,8), %xmm{r}\n\taddsd\t%xmm{r}, %xmm0"
    return [ROUTINE.format(body="\n".join(body.format(at=8 * u, r=1 + u % 8) for u in range(1 + i % 8)), unroll=1 + i % 8,
                           tag=8 * i).replace("movsd\t$", "movsd\t") for i in range(ASSEMBLY)]


def large(i):
    """Some hundred statements that all are different."""
    lines = "\n".join(f"\tfor (int i = 0; i + {k} < N; i++)\n\t\tdot += X[i] * Y[i + {k}] * {k + i}.5;" for k in range(40))
    return f"double\ndotprod(const int N, const double *X, const double *Y)\n{{\n\tdouble\t dot = 0.0;\n\n{lines}\n\treturn dot;\n}}\n"


def gcc_s(directory, ending, texts):
    """Seconds that gcc takes for the files, one after another on the builder's CPU."""
    for i, text in enumerate(texts):
        (directory / f"v{i}.{ending}").write_text(text)
    return compiled_s([["gcc", *FLAGS, "-shared", "-fPIC", "-o", directory / f"v{i}.so", directory / f"v{i}.{ending}", "-lm"]
                       for i in range(len(texts))], HOUSE_CPU)


def built_s(client, name, language, spec, texts):
    """Seconds that builds took in a sweep of these sources."""
    variants = [{"name": f"v{i}", "language": language, "source": t, "flags": FLAGS} for i, t in enumerate(texts)]
    client.call("sweep.create", {"sweep": {"name": name, "spec": spec, "variants": variants}})
    client.call("job.wait", {"sweep": name})
    results = client.call("results.query", {"sweep": name, "limit": len(texts)})["results"]
    bad = {r["status"] for r in results} & {"build_failed", "build_timeout", "build_limit", "internal"}
    if bad or len(results) != len(texts):
        raise RuntimeError(f"{name}: {len(results)} results, {bad}")
    return sum(r["stages_ms"]["build"] for r in results) / 1e3


def beside_gcc(bench, client, language, texts):
    """(seconds of the builder, seconds of gcc)"""
    directory = bench.directory / f"gcc_{language}"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir()
    ending, half, spec = {"c": "c", "asm": "S"}[language], len(texts) // 2, bench.dot_spec(100, "warm", gate=False, samples=3)
    first = gcc_s(directory, ending, texts[:half])
    ours = built_s(client, f"{language}{len(texts)}", language, spec, texts)
    return ours, first + gcc_s(directory, ending, texts[half:])


def measure(bench):
    with bench.service("builds") as (_, client):
        built_s(client, "first", "c", bench.dot_spec(100, "warm", gate=False, samples=3), sources()[-1:])
        for name, language, texts in (("asm", "asm", programs()), ("c", "c", sources()[:SMALL]),
                                      ("large", "c", [large(i) for i in range(LARGE)])):
            ours, gcc = beside_gcc(bench, client, language, texts)
            bench.note(f"{name}: a build takes {1e3 * ours / len(texts):.1f} ms, gcc {1e3 * gcc / len(texts):.1f} ms")
            if name == "asm":
                yield Figure("asm_builds_per_s", len(texts) / ours, "1/s", FIGURES["asm_builds_per_s"])
            yield Figure(f"{name}_builds_vs_gcc", gcc / ours, "ratio", FIGURES[f"{name}_builds_vs_gcc"])
