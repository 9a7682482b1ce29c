/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <limits.h>
#include <poll.h>

#include "client/lib/await.h"
#include "proto/base/clock.h"

int64_t
await_deadline_ms(int timeout_ms)
{
	return timeout_ms < 0 ? -1 : clock_now_ms() + timeout_ms;
}

enum status
await_fd(int fd, short events, int stop_fd, int64_t deadline_ms)
{
	struct pollfd	p[2] = { { .fd = fd, .events = events },
			    { .fd = stop_fd, .events = POLLIN } };
	int64_t		left_ms = -1;
	int		n;

	do {
		if (deadline_ms >= 0 && (left_ms = deadline_ms - clock_now_ms()) < 0)
			left_ms = 0;
		n = poll(p, 2, left_ms > INT_MAX ? INT_MAX : (int)left_ms);
	} while (n < 0 && (errno == EINTR || errno == EAGAIN));
	if (n > 0 && p[1].revents != 0)
		return ST_CANCELLED;
	return n > 0 ? ST_OK : n == 0 ? ST_UNAVAILABLE : ST_IO;
}
