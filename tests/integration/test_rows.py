# SPDX-License-Identifier: Apache-2.0
"""Each rule of tests/rows.py is broken once, in a table of which one row works."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import rows  # noqa: E402

TESTS = {("unit/test_plan", "W4_cold_is_the_default"): ["W4"], ("unit/test_plan", "a_budget"): []}
CELL = "`unit/test_plan` W4_cold_is_the_default"
ONCE, STATE, NAMED, THERE, CARRIED = range(5)


def table(*without, **other):
    """Each row missing, but W4; `other` are other states and cells."""
    cells = {"W4": f"works | a title | {CELL}", **other}
    return "".join(f"| {row} | {cells.get(row, 'missing | a title |')} |\n" for row in rows.ROWS
                   if row not in without)


class Rules(unittest.TestCase):
    def broken(self, text, tests=None):
        """Numbers of the rules that do not hold."""
        verdicts = rows.verdicts(text, TESTS if tests is None else tests)
        return [n for n, (_, places) in enumerate(verdicts) if places]

    def test_a_sound_table_breaks_none(self):
        self.assertEqual(self.broken(table()), [])

    def test_a_row_that_is_not_there_or_there_twice_is_found(self):
        self.assertEqual(self.broken(table("P1")), [ONCE])
        self.assertEqual(self.broken(table() + "| P1 | missing | a title | |\n"), [ONCE])

    def test_rows_out_of_order_are_found(self):
        self.assertEqual(self.broken(table("P1") + "| P1 | missing | a title | |\n"), [ONCE])

    def test_lines_that_are_no_row_are_found(self):
        self.assertEqual(self.broken(table() + "| P1 | missing\n"), [ONCE])
        self.assertEqual(self.broken(table() + "| Z1 | missing | a title | |\n"), [ONCE])

    def test_an_unknown_state_is_found(self):
        self.assertEqual(self.broken(table(P1="nearly | a title |")), [STATE])

    def test_a_row_that_works_names_a_test(self):
        self.assertEqual(self.broken(table(P1="works | a title |")), [NAMED])
        self.assertEqual(self.broken(table(P1="works | a title | `unit/test_plan` a_budget")), [])

    def test_a_missing_row_names_none(self):
        self.assertEqual(self.broken(table(W4=f"missing | a title | {CELL}")), [NAMED])

    def test_a_test_that_is_gone_is_found(self):
        gone = "partial | a title | `unit/test_plan` gone"
        self.assertEqual(self.broken(table(P1=gone)), [THERE])
        self.assertEqual(self.broken(table(P1=gone.replace("plan", "sweep"))), [THERE])

    def test_a_test_that_carries_a_number_stands_in_its_row(self):
        self.assertEqual(self.broken(table(W4="partial | a title |")), [CARRIED])
        new = {**TESTS, ("unit/test_plan", "P1_W4_new"): ["P1", "W4"]}
        self.assertEqual(self.broken(table(), new), [CARRIED])

    def test_an_update_writes_what_is_new_and_takes_out_what_is_gone(self):
        old = table(P1="partial | a title | `unit/test_plan` gone", W4="works | a title |")
        new = rows.updated(old, TESTS)
        self.assertEqual(self.broken(new), [])
        self.assertIn(f"| W4 | works | a title | {CELL} |\n", new)
        self.assertIn("| P1 | partial | a title | |\n", new)


class Tests(unittest.TestCase):
    def of(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, name)
            path.write_text(text, encoding="utf-8")
            return rows.tests_of(path)

    def test_those_of_a_c_program_are_what_its_lists_run(self):
        functions = "".join(f"static void\n{name}(void **state)\n{{\n}}\n" for name in "abcd")
        lists = "cmocka_unit_test(a),\ncmocka_unit_test_setup_teardown(b, c, d),\n"
        self.assertEqual(self.of("test_x.c", functions + lists), ["a", "b"])

    def test_those_of_a_python_program_are_its_cases_methods(self):
        text = "class C:\n    def test_a(self):\n        pass\n    def other(self):\n        pass\n"
        self.assertEqual(self.of("test_x.py", text + "def test_b():\n    pass\n"), ["test_a"])

    def test_names_are_without_what_all_of_a_program_begin_with(self):
        self.assertEqual(rows.short("test_plan", "test_plan_W4_cold"), "W4_cold")
        self.assertEqual(rows.short("test_rows", "test_an_update"), "an_update")

    def test_this_trees_programs_are_found_with_the_numbers_their_tests_carry(self):
        found = rows.all_tests()
        self.assertEqual(found["integration/test_rows", "a_missing_row_names_none"], [])
        name = "W4_cold_is_the_default_and_W15_takes_31_samples"
        self.assertEqual(found["unit/test_plan", name], ["W4", "W15"])


if __name__ == "__main__":
    unittest.main()
