// SPDX-License-Identifier: Apache-2.0
// The same in nanobench, a header of its own that Debian does not have: its directory is in
// $NANOBENCH.  Prints the median in nanoseconds.
#define ANKERL_NANOBENCH_IMPLEMENT
#include <nanobench.h>

#include <cstdio>

extern "C" {
#include "app.h"
}

int
main()
{
	ankerl::nanobench::Bench	 bench;
	void				*place = app_place();

	bench.output(nullptr).run("routine", [&] { app_call(place); });
	std::printf("%.3f\n", 1e9 * bench.results().front().median(
	    ankerl::nanobench::Result::Measure::elapsed));
	return 0;
}
