# SPDX-License-Identifier: Apache-2.0
"""Sources of tests/hostile/ that share headers: a job has one text, so they are put into it."""
import re

from harness import TREE

HOSTILE = TREE / "tests" / "hostile"
RT = TREE / "worker" / "runner" / "sample" / "rt.h"


def whole(text, **made):
    """A source with headers in the place of their names: made ones, a driver's, the corpus's."""
    def header(m):
        name = m.group(1)
        path = RT if name == RT.name else HOSTILE / name
        return whole(made[name] if name in made else path.read_text(), **made)
    return re.sub(r'^#include "(\w+\.h)"\n', header, text, flags=re.M)
