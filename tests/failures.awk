# SPDX-License-Identifier: Apache-2.0
# What failed in a test program, one short line each: "failed: PROGRAM: TEST: why", out of what the program printed.  It
# reads cmocka's output, unittest's, and lines "not ok RULE".
# usage: awk -v program=NAME -v status=EXIT_STATUS -f failures.awk OUTPUT

function tell(test, why)
{
	gsub(/[[:space:]]+/, " ", why)
	print substr("failed: " program ": " test (why == "" ? "" : ": " why), 1, 300)
	told++
}

# add TEXT to what is known of the test that runs
function add(text)
{
	if (text != "")
		why = why (why == "" ? "" : ", ") text
}

function after(prefix)
{
	return substr($0, length(prefix) + 1)
}

# cmocka: RUN, errors and their places, then OK or FAILED; a test that crashes its program has neither
/^\[ RUN      \] / { running = after("[ RUN      ] "); why = ""; next }
/^\[       OK \] / || /^\[  SKIPPED \] / { running = ""; next }
/^\[  FAILED  \] / && running != "" { tell(running, why); running = ""; next }
running != "" && /^\[   LINE   \] --- / { sub(/: error: Failure!$/, ""); add(after("[   LINE   ] --- ")); next }
running != "" && /^\[  ERROR   \] --- / {
	text = after("[  ERROR   ] --- ")
	if (sub(/^\[   LINE   \] --- /, "", text))
		sub(/: error: Failure!$/, "", text)
	add(text)
	next
}
running != "" && /^ERROR: / { add(after("ERROR: ")); next }
/^Could not run test: / { add($0); tell(running, why); running = ""; next }
/^SUMMARY: .*Sanitizer: / || /: runtime error: / { add($0); next }

# unittest: a rule, the test, a rule, the traceback; the last exception is the one that failed it
/^======/ { heading = 1; next }
heading && /^(FAIL|ERROR): / {
	tell_python()
	python = $0
	sub(/^[A-Z]*: /, "", python)
	heading = 0
	exception = place = ""
	next
}
/^Ran [0-9]+ tests? in / { tell_python(); next }
python != "" && /^Traceback / { exception = ""; in_trace = 1; next }
python != "" && /^  File ".*tests\/integration\/test_/ {
	place = $2 ":" $4
	gsub(/[",]/, "", place)
	sub(/.*tests\/integration\//, "", place)
	next
}
python != "" && in_trace && /^[^ ]/ { exception = $0; in_trace = 0; next }

function tell_python()
{
	if (python != "")
		tell(python, place (place == "" || exception == "" ? "" : ": ") exception)
	python = ""
}

/^not ok / { tell(after("not ok "), "") }

END {
	tell_python()
	end = status == 124 ? "the time was over" : "the program ended with " status
	if (running != "")
		tell(running, end (why == "" ? "" : ", " why))
	else if (!told)
		tell(end, $0)
}
