# SPDX-License-Identifier: Apache-2.0
"""Descriptions of micro-kernels drawn at random, each valid: known operations with operands they take."""

MOVES = ("movaps", "movups", "movapd", "movupd", "movdqa", "movdqu", "movss", "movsd")
SUMS = ("addps", "mulps", "subpd", "addss", "mulsd", "paddd", "xorps")
LOOP = """
<induction><register><name>r1</name></register><increment>{step}</increment><offset>16</offset></induction>
<induction><register><phyName>%eax</phyName></register><increment>1</increment><not_affected_unroll/></induction>
<induction><register><name>r0</name></register><increment>-1</increment>
<linked><register><name>r1</name></register></linked><last_induction/></induction>
<branch_information><label>L</label><test>{test}</test></branch_information>
"""


class Draw:
    def __init__(self, dice):
        self.dice = dice

    def span(self, node, most):
        return f"<{node}><min>1</min><max>{self.dice.randint(1, most)}</max></{node}>"

    def maybe(self, *texts):
        return self.dice.choice(("", *texts))

    def vector(self):
        first = self.dice.randrange(8)
        return self.dice.choice((
            f"<register><phyName>%xmm</phyName><min>{first}</min><max>{first + self.dice.randrange(8)}</max></register>",
            f"<register><phyName>%xmm{first}</phyName></register>",
            f"<register><name>x{first % 4}</name></register>"))

    def memory(self):
        array, offset = self.dice.randint(1, 8), 16 * self.dice.randint(-4, 4)
        return self.dice.choice((
            f"<memory><register><name>r{array}</name></register><offset>{offset}</offset></memory>",
            f"<indirect_memory><base><name>r{array}</name></base><index><name>r{9 + array % 3}</name></index>"
            f"<multiplier>{2 ** (array % 4)}</multiplier><offset>{offset}</offset></indirect_memory>"))

    def access(self):
        operations = "".join(f"<operation>{o}</operation>" for o in self.dice.sample(MOVES, self.dice.randint(1, 2)))
        return (f"<instruction>{operations}{self.memory()}{self.vector()}"
                + self.maybe("<choose_operation_after_unroll/>", "<choose_operation_before_unroll/>")
                + self.maybe("<swap_after_unroll/>", "<swap_before_unroll/>")
                + self.maybe(self.span("repetition", 2)) + "</instruction>")

    def move(self):
        return f"<move><bytes>{2 ** self.dice.randint(2, 5)}</bytes>{self.memory()}{self.vector()}</move>"

    def arithmetic(self):
        return f"<instruction><operation>{self.dice.choice(SUMS)}</operation>{self.vector()}{self.vector()}</instruction>"

    def general(self):
        return (f"<instruction><operation>add</operation>{self.span('immediate', 4)}<register><name>r9</name>"
                "</register>" + self.maybe("<immediate_after_unroll/>") + "</instruction>")

    def kernel(self, depth=0):
        kinds = (self.access, self.access, self.move, self.arithmetic, self.general)
        parts = [self.dice.choice(kinds)() for _ in range(self.dice.randint(1, 3))]
        if depth == 0:
            parts.append(self.maybe(self.kernel(1)))
            parts.append(self.maybe(LOOP.format(step=self.dice.choice((16, 32)),
                                                test=self.dice.choice(("jge", "jg", "jns")))))
        else:
            parts.append(self.maybe(self.span("repetition", 2)))
        return (f"<kernel>{self.maybe('<randomize/>')}{''.join(parts)}{self.maybe(self.span('unrolling', 4))}"
                "</kernel>")

    def description(self):
        return f"<description>{self.kernel()}</description>"
