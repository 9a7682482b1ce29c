# SPDX-License-Identifier: Apache-2.0
"""Comforts of the command line: completion in real shells, colours, Markdown."""
import json
import os
import pathlib
import pty
import re
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

TREE = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TREE / "tests" / "support"))
from command import ASSAY, environment
from harness import BUILD, TIMEOUT_S, DaemonTest, job

PROMPT = "READY> "
TRIES = 30                  # to complete a word, which gives up soon where the daemon is slow
AGAIN_S = 10                # of silence, then keys are typed again
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]")


def seen(said):
    """The text without what moves the cursor or colours it; a backspace takes a character away."""
    text = ESCAPE.sub("", said).replace("\a", "")
    while "\x08" in text:
        text = re.sub("[^\x08]?\x08", "", text, count=1)
    return text


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, words, env, cwd):
        self.said = ""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(cwd)
            os.execvpe(words[0], words, env)

    def type(self, text):
        os.write(self.fd, text.encode())

    def is_silent(self, seconds):
        return not select.select([self.fd], [], [], seconds)[0]

    def read(self):
        """More of what it says; False at its end."""
        if self.is_silent(TIMEOUT_S):
            raise AssertionError(f"the terminal is silent after {self.said!r}")
        try:
            more = os.read(self.fd, 65536).decode(errors="replace")
        except OSError:
            return False
        self.said += more
        return True

    def expect(self, *words, again=None):
        """
        Until all of these have been said since the last time.  Keys that are typed again when it is
        silent.
        """
        tries = TRIES if again else 0
        while not all(word in seen(self.said) for word in words):
            while tries > 0 and self.is_silent(AGAIN_S):
                self.type(again)
                tries -= 1
            if not self.read():
                raise AssertionError(f"the program ended; of {words} it said only {self.said!r}")
        said, self.said = self.said, ""
        return said

    def to_the_end(self):
        while self.read():
            continue
        return self.said

    def close(self):
        os.close(self.fd)
        os.waitpid(self.pid, 0)


class Comforts(DaemonTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        directory = tempfile.TemporaryDirectory(prefix="assay-comforts-")
        cls.addClassCleanup(directory.cleanup)
        cls.dir = pathlib.Path(directory.name)
        for name in ("a.spec.json", "b.c", "my file.json", "notes.txt"):
            (cls.dir / name).write_text("")
        (cls.dir / "folder").mkdir()
        (cls.dir / "folder" / "inside.json").write_text("")
        cls.env = environment(ASSAY_SOCKET=cls.daemon.socket, PATH=f"{BUILD}:{os.environ['PATH']}", HOME=cls.dir,
                              TERM="xterm", PS1=PROMPT)
        cls.env.pop("NO_COLOR", None)
        for name in ("night run", "dot:warm", "x$(touch pwned);`touch pwned`'\"|<b>_y_"):
            cls.daemon.call("sweep.create", {"sweep": {"name": name, "spec": job()["spec"], "variants": [job()["variant"]]}})
            cls.daemon.call("job.wait", {"sweep": name})

    def assay(self, *words, code=0, **env):
        ran = subprocess.run([ASSAY, *map(str, words)], env=self.env | env, stdin=subprocess.DEVNULL, cwd=self.dir,
                             capture_output=True, text=True, timeout=TIMEOUT_S)
        self.assertEqual(code, ran.returncode, ran.stderr)
        return ran

    def on_terminal(self, *words, **env):
        terminal = Terminal([str(ASSAY), *words], self.env | env, self.dir)
        said = terminal.to_the_end()
        terminal.close()
        return said


class Completion(Comforts):
    # of all shells: what is typed, and what stands there or is offered behind a tab
    UNIQUE = {"assay ti": "assay time", "assay best ni": r"night\ run", "assay time my": r"my\ file.json",
              "assay time folder/": "folder/inside.json", "assay time --clo": "--clock", "assay sweep li": "assay sweep list",
              "assay time --reference=b": "--reference=b.c", "assay time -p N=3 --trust=ver": "--trust=verified",
              "assay completion z": "assay completion zsh", "assay micro ru": "assay micro run", "assay micro run --lev": "--levels",
              "assay launch --data-size=dou": "--data-size=double", "assay serve --chart": "--chart-js",
              "assay serve --state fol": "folder/"}
    LISTS = {"assay time --clock ": ["auto", "wall", "cycle", "cpu"], "assay time --clock=c": ["cycle", "cpu"],
             "assay time ": ["a.spec.json", "file.json", "folder/"], "assay queue ": ["pause", "resume"],
             "assay serve --tls-": ["--tls-certificate", "--tls-key", "--tls-client-ca"],
             "assay --": ["--json", "--markdown", "--color"]}

    def shell(self, words, setup):
        if shutil.which(words[0]) is None:
            self.skipTest(f"there is no {words[0]}")
        terminal = Terminal(words, self.env, self.dir)
        self.addCleanup(terminal.close)
        terminal.expect(PROMPT)
        terminal.type(setup + "; echo se''t\n")
        terminal.expect("set", PROMPT)
        return terminal

    def complete_all(self, terminal, list_keys):
        for typed, want in self.UNIQUE.items():
            terminal.type(typed + "\t")
            terminal.expect(want, again="\t")
            terminal.type("\x15\n")
            terminal.expect(PROMPT)
        for typed, wants in self.LISTS.items():
            terminal.type(typed + list_keys)
            said = terminal.expect(*wants, again=list_keys)
            self.assertNotIn("notes.txt", said)
            terminal.type("\x15\n")
            terminal.expect(PROMPT)

    def end(self, terminal):
        terminal.type("exit\n")
        terminal.to_the_end()

    def test_in_bash(self):
        terminal = self.shell(["bash", "--norc", "--noprofile", "-i"],
                              "bind 'set enable-bracketed-paste off'; source <(assay completion bash)")
        self.complete_all(terminal, "\t\t")
        terminal.type("assay sweep show x\t")         # a name that would run programs
        terminal.expect("_y_", again="\t")
        terminal.type("\n")
        terminal.expect("over")
        self.assertFalse((self.dir / "pwned").exists())
        self.end(terminal)

    def test_in_zsh(self):
        terminal = self.shell(["zsh", "-f", "-i"],
                              "unsetopt PROMPT_SP; autoload -U compinit; compinit -u -D; source <(assay completion zsh)")
        self.complete_all(terminal, "\t")
        self.end(terminal)

    def test_in_fish(self):
        if shutil.which("fish") is None:
            self.skipTest("there is no fish")
        lines = {**{typed: [want] for typed, want in self.UNIQUE.items()}, **self.LISTS}
        for typed, wants in lines.items():
            for _ in range(TRIES):
                ran = subprocess.run(["fish", "-c", f"assay completion fish | source; complete -C '{typed}'"], env=self.env,
                                     cwd=self.dir, capture_output=True, text=True, timeout=TIMEOUT_S)
                if offered := [line.split("\t")[0] for line in ran.stdout.splitlines()]:
                    break
            for want in wants:
                last = want.replace("\\", "").removeprefix("assay ").removeprefix("sweep ").removeprefix("micro ")
                last = last.removeprefix("completion ")
                self.assertTrue([o for o in offered if o.endswith(last)], (typed, offered, ran.stderr))
            self.assertNotIn("notes.txt", offered)

    def words(self, *words, **env):
        return self.assay("completion", "words", "--", *words, **env).stdout.splitlines()

    def test_every_option_and_command_of_the_help_is_offered(self):
        commands = [line.split()[0] for line in self.assay("--help").stdout.splitlines() if line.startswith("  ")]
        offered = [line[1:].split("\t")[0] for line in self.words("")]
        self.assertEqual(commands, offered)
        for command in [*([c] for c in commands if c != "serve"), ["micro", "run"]]:
            shown = re.findall(r"^  (?:-\w,)? +(--[\w-]+)", self.assay(*command, "--help").stdout, re.M)
            self.assertEqual(shown, [line[1:].split("\t")[0] for line in self.words(*command, "--")], command)

    def test_the_flags_of_serve_are_those_of_assayd(self):
        shown = subprocess.run([BUILD / "assayd", "--help"], capture_output=True, text=True, check=True, timeout=TIMEOUT_S).stdout
        offered = [line[1:].partition("\t") for line in self.words("serve", "--")]
        self.assertEqual(re.findall(r"^  (--[\w-]+)", shown, re.M), [name for name, _, _ in offered])
        for name, _, text in offered:
            self.assertRegex(shown, rf"(?m)^  {name}( .* )?{re.escape(text)}")
        self.assertEqual(["d"], self.words("serve", "--state", ""))
        self.assertEqual(["f"], self.words("serve", "--share-cpus", "--tls-key="))
        self.assertEqual([], self.words("serve", "--share-cpus", ""))

    def test_words_of_a_launch_are_those_that_it_takes(self):
        (self.dir / "k.c").write_text("int entryPoint(int n, void *a) { return n; }\n")
        for option in ("--info", "--unit", "--data-size", "--context", "--clock"):
            offered = [line[1:] for line in self.words("launch", option, "")]
            self.assertGreaterEqual(len(offered), 2, option)
            for value in offered:
                self.assay("launch", "--print", option, value, "k.c")
        self.assertEqual([], self.words("launch", "--nbsizes", ""))
        self.assertEqual(["fxml"], self.words("launch", "--config", ""))
        self.assertEqual(["fxml"], self.words("micro", "run", ""))

    def test_values_are_those_that_the_command_takes(self):
        for option, bad in (("--clock", "sundial"), ("--flush", "no"), ("--trust", "no"), ("--layout", "no")):
            offered = [line[1:] for line in self.words("time", option, "")]
            self.assertGreaterEqual(len(offered), 3)
            spec = self.dir / "t.json"
            spec.write_text(json.dumps(job()["spec"]))
            for value in offered:
                ran = subprocess.run([ASSAY, "driver", spec, "-o", "/dev/null/x", option, value], env=self.env, text=True,
                                     stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_S)
                self.assertNotIn(f"\"{value}\"", ran.stderr)

    def test_nothing_is_offered_for_what_is_unknown_and_a_silent_daemon_delays_no_shell(self):
        self.assertEqual([], self.words("nosuch", ""))
        self.assertEqual([], self.words("time", "--nosuch=", ))
        self.assertEqual([], self.words("best", "", ASSAY_SOCKET="/nonexistent/assay.sock"))
        with socket.socket(socket.AF_UNIX) as silent:
            silent.bind(str(self.dir / "silent.sock"))
            silent.listen()
            began = time.monotonic()
            ran = subprocess.run([ASSAY, "completion", "words", "--", "best", ""], stdin=subprocess.DEVNULL, timeout=TIMEOUT_S,
                                 env=self.env | {"ASSAY_SOCKET": str(self.dir / "silent.sock")}, capture_output=True)
            self.assertEqual(b"", ran.stdout)
            self.assertLess(time.monotonic() - began, TIMEOUT_S / 2)

    def test_a_shell_that_is_none_is_refused(self):
        self.assertIn("bash, zsh, fish", self.assay("completion", "tcsh", code=64).stderr)


class Init(Comforts):
    def test_a_first_spec_leads_to_a_time(self):
        (self.dir / "axpy.c").write_text((TREE / "tests/kernels/axpy.c").read_text())
        said = self.assay("init", "axpy.c").stdout
        spec = json.loads((self.dir / "axpy.spec.json").read_text())
        guesses = spec["meta"]["guesses"]
        self.assertTrue(guesses)
        for guess in guesses:
            self.assertRegex(said, rf"(?m)^{re.escape(guess['member'])} .*{re.escape(guess['why'])}$")
        following, = re.findall(r"^Next +assay (.*)$", said, re.M)
        self.assertIn("axpy", self.assay(*following.split()).stdout)
        before = (self.dir / "axpy.spec.json").read_text()
        self.assertIn("is there already", self.assay("init", "axpy.c", code=67).stderr)
        self.assertEqual(before, (self.dir / "axpy.spec.json").read_text())
        self.assertEqual("", self.assay("init", "-q", "axpy.c", "-o", "other.json").stdout)
        self.assertEqual(spec, json.loads((self.dir / "other.json").read_text()))

    def test_what_it_cannot_read_has_a_remedy(self):
        (self.dir / "two.c").write_text("void f(int n, double *x) { x[n] = 0; }\nvoid g(int n, double *x) { x[n] = 1; }\n")
        for name, code, remedy in (("k.cpp", 65, "g++ -g"), ("k.f90", 65, "gfortran -g"), ("two.c", 65, "--routine"),
                                   ("none.c", 66, "No such file"), ("k.rs", 65, "compiled object")):
            self.assertIn(remedy, self.assay("init", name, code=code).stderr)
            self.assertFalse((self.dir / name).with_suffix(".spec.json").exists())
        self.assertIn("void g", self.assay("init", "two.c", "-r", "g").stdout)


class Looks(Comforts):
    def test_colours_are_for_terminals(self):
        for said in (self.assay("results").stdout, self.on_terminal("results", NO_COLOR="1"),
                     self.on_terminal("results", TERM="dumb"), self.on_terminal("results", "--color=never"),
                     self.on_terminal("results", "--markdown")):
            self.assertIn("ok", said)
            self.assertNotIn("\x1b", said)
        for said in (self.on_terminal("results"), self.assay("--color", "always", "results").stdout,
                     self.assay("results", "--color=always", NO_COLOR="1").stdout):
            self.assertIn("\x1b[36mok\x1b[0m", said)
        self.assertIn("--color", self.assay("results", "--color=maybe", code=64).stderr)

    def test_tables_in_markdown_have_a_cell_for_each_heading(self):
        for words in (["results"], ["best", "night run"], ["sweep", "list"], ["results", "--sweep", "night run", "--speedup"]):
            lines = [line for line in self.assay("--markdown", *words).stdout.splitlines() if line]
            self.assertGreaterEqual(len(lines), 3, words)
            self.assertRegex(lines[1], r"^(\| (:--|--:) )+\|$")
            for line in lines:
                self.assertEqual(lines[0].count("|"), re.sub(r"\\.", "", line).count("|"), line)
                self.assertNotIn("<", re.sub(r"\\.", "", line))
        self.assertIn("- over", self.assay("sweep", "show", "night run", "--markdown").stdout)

    def test_one_result_in_markdown_is_a_table(self):
        spec = self.dir / "one.json"
        spec.write_text(json.dumps({"spec": job()["spec"], "variant": job()["variant"]}))
        self.assertIn("| job | name | status |", self.assay("time", "--markdown", spec).stdout)
        self.assertIn('"status": "ok"', self.assay("time", "--markdown", "--json", spec).stdout)


if __name__ == "__main__":
    unittest.main()
