/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_BASE_LOG_H
#define ASSAY_PROTO_BASE_LOG_H

/*
 * One line per event on stderr: "info job=41 state=timing core=7".  Name the object first.  errno
 * survives each call; control bytes are replaced.  bug: an invariant of ours is broken, aborts.
 */
enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARN, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

void	 log_set_level(enum log_level);
/*
 * From now on at most LOG_LIMIT_BYTES a second, debug lines aside (proto/base/log_limit.h).  Lines
 * that were left out are reported by later lines, or by these: once a second, and at the end.
 */
void	 log_begin_limit(void);
void	 log_tick(void);
void	 log_end(void);
void	 log_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void	 log_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void	 log_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void	 log_debug(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void	 bug(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif
