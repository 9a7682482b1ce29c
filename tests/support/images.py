# SPDX-License-Identifier: Apache-2.0
"""
Checkpoint images for tests, as an application makes them: the test's own, or a small one that calls
its routine f once in its region.
"""
import os
import subprocess

from harness import BUILD, TREE

# The routine, the application's data, and its one call.
ONE_CALL = """
#include "checkpoint.h"
%s
%s
int main(int argc, char **argv)
{
	assay_checkpoint_routine("f", (assay_routine *)f);
	if (argc < 2 || assay_enter_checkpoint(argv[1]) < 0)
		return 1;
	ASSAY_CHECKPOINT_CALL(f)(%s);
	assay_stop_checkpoint();
	return 0;
}
"""


def build_application(source, program, flags=("-O2",)):
    subprocess.run(["gcc", *flags, "-Wall", "-Werror", f"-I{TREE / 'client/agent'}", source,
                    BUILD / "libassay-checkpoint.a", "-o", program], check=True)
    return program


def make_image(program, image, *words, **environment):
    return subprocess.run([program, image, *map(str, words)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, env=os.environ | environment)


def one_call(directory, name, routine, data, arguments):
    """Makes directory/name.image; the image's name."""
    source = directory / f"{name}.c"
    source.write_text(ONE_CALL % (routine, data, arguments))
    made = make_image(build_application(source, directory / name), directory / f"{name}.image")
    if made.returncode != 0:
        raise RuntimeError(f"no image of {name}: {made.stderr}")
    return f"{name}.image"
