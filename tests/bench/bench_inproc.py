# SPDX-License-Identifier: Apache-2.0
"""
What a builder makes in a second with clang in its own process, against clang's driver on the same sources and the same CPU:
small variants, which the figure is of, and forty loops, which are nearly all optimizer.  A builder's time is the sum of the
stages `build`; the driver compiles half of the sources before the sweep and half after, and links as the recipe says.
"""
import shutil

from figure import BUILD, Figure, HOUSE_CPU, Unmeasured, compiled_s
from bench_builds import large
from bench_rate import sources

FIGURES = {"rate_clang_inproc_vs_clang": ">= 3"}
SMALL, LARGE = 64, 16
FLAGS = ["-O3"]
WORDS = ["-fno-crash-diagnostics", "-falign-functions=64", *FLAGS, "-shared", "-fPIC"]
BEHIND = ["-lm", "-Wl,-z,now", "-Wl,-z,noexecstack"]


def driver_s(directory, texts):
    """Seconds that clang's driver takes for the files, one after another on the builder's CPU."""
    clang = shutil.which("clang-19") or BUILD / "assay-clang"
    for i, text in enumerate(texts):
        (directory / f"v{i}.c").write_text(text)
    return compiled_s([[clang, *WORDS, "-o", directory / f"v{i}.so", directory / f"v{i}.c", *BEHIND]
                       for i in range(len(texts))], HOUSE_CPU)


def built_s(client, name, spec, texts):
    """Seconds that builds took in a sweep of these sources."""
    variants = [{"name": f"v{i}", "source": t, "flags": FLAGS, "compiler": "clang-inproc"} for i, t in enumerate(texts)]
    client.call("sweep.create", {"sweep": {"name": name, "spec": spec, "variants": variants}})
    client.call("job.wait", {"sweep": name})
    results = client.call("results.query", {"sweep": name, "limit": len(texts)})["results"]
    bad = {r["status"] for r in results} & {"bad_spec", "build_failed", "build_timeout", "build_limit", "internal"}
    if bad or len(results) != len(texts):
        raise RuntimeError(f"{name}: {len(results)} results, {bad}")
    return sum(r["stages_ms"]["build"] for r in results) / 1e3


def beside_driver(bench, client, name, texts):
    """(seconds of the builder, seconds of the driver)"""
    directory = bench.directory / f"clang_{name}"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir()
    half, spec = len(texts) // 2, bench.dot_spec(100, "warm", gate=False, samples=3)
    first = driver_s(directory, texts[:half])
    ours = built_s(client, name, spec, texts)
    return ours, first + driver_s(directory, texts[half:])


def measure(bench):
    if not (BUILD / "assay-clang").exists():
        raise Unmeasured("there is no assay-clang: its libraries are not installed")
    with bench.service("inproc") as (_, client):
        built_s(client, "first", bench.dot_spec(100, "warm", gate=False, samples=3), sources()[-1:])
        ratios = {}
        for name, texts in (("small", sources()[:SMALL]), ("large", [large(i) for i in range(LARGE)])):
            ours, clang = beside_driver(bench, client, name, texts)
            ratios[name] = clang / ours
            bench.note(f"{name}: a build takes {1e3 * ours / len(texts):.1f} ms, clang's driver {1e3 * clang / len(texts):.1f} ms, "
                       f"{ratios[name]:.2f} times as long")
    yield Figure("rate_clang_inproc_vs_clang", ratios["small"], "ratio", FIGURES["rate_clang_inproc_vs_clang"])
