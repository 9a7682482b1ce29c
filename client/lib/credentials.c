/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/lib/credentials.h"
#include "client/lib/problem.h"

/* ---- settings ---- */

static int
replace(char **slot, const char *value, struct assay_error *why)
{
	char	*copy = value != NULL ? strdup(value) : NULL;

	if (value != NULL && copy == NULL)
		return problem(why, "no_memory", "setting");
	free(*slot);
	*slot = copy;
	return 1;
}

int
credentials_set(struct credentials *c, const char *name, const char *value,
    struct assay_error *why)
{
	const struct {
		const char	 *name;
		char		**slot;
	} settings[] = {
		{ "token", &c->token }, { "token-file", &c->token_file }, { "ca", &c->ca },
		{ "cert", &c->cert }, { "key", &c->key },
	};

	for (unsigned i = 0; i < sizeof settings / sizeof settings[0]; i++)
		if (strcmp(settings[i].name, name) == 0)
			return replace(settings[i].slot, value, why);
	return 0;
}

void
credentials_release(struct credentials *c)
{
	free(c->token);
	free(c->token_file);
	free(c->ca);
	free(c->cert);
	free(c->key);
}

/* ---- the token ---- */

/* It goes into a header: characters of RFC 6750, and nothing that ends a line. */
static int
check_token(struct credentials_found *f, struct assay_error *why)
{
	const size_t	n = strspn(f->token, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "0123456789-._~+/=");

	if (f->token[0] != '\0' && f->token[n] == '\0')
		return 0;
	memset(f->token, 0, sizeof f->token);
	(void)problem(why, "bad_request", "%.400s: is no token", f->token_from);
	return problem_hint(why, "a token is one word of letters, digits and -._~+/=");
}

static int
read_token(struct credentials_found *f, const char *path, int fd, struct assay_error *why)
{
	struct stat	sb;
	ssize_t		n;

	(void)snprintf(f->token_from, sizeof f->token_from, "%s", path);
	if (fstat(fd, &sb) != 0 || !S_ISREG(sb.st_mode))
		return problem(why, "bad_request", "%.400s: is no file with a token", path);
	if ((sb.st_mode & 077) != 0) {
		(void)problem(why, "denied", "%.400s: other users may read this token (mode %04o)",
		    path, (unsigned)sb.st_mode & 07777);
		return problem_hint(why, "chmod 600 %.200s, and ask for a new token", path);
	}
	if ((n = read(fd, f->token, sizeof f->token - 1)) < 0)
		return problem(why, "io", "%.400s: %s", path, strerror(errno));
	f->token[n] = '\0';
	f->token[strcspn(f->token, " \t\r\n")] = '\0';
	return check_token(f, why);
}

static int
open_token(struct credentials_found *f, const char *path, bool is_named, struct assay_error *why)
{
	int	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), rc;

	if (fd < 0 && !is_named && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (fd < 0)
		return problem(why, errno == ENOENT ? "not_found" : "denied", "%.400s: %s", path,
		    strerror(errno));
	rc = read_token(f, path, fd, why);
	(void)close(fd);
	return rc;
}

/* ---- defaults ---- */

static bool
own_file(const char *name, char path[PATH_MAX])
{
	const char		*config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	const struct passwd	*user;

	if (config != NULL && config[0] == '/')
		return snprintf(path, PATH_MAX, "%s/assay/%s", config, name) < PATH_MAX;
	if ((home == NULL || home[0] != '/') && (user = getpwuid(geteuid())) != NULL)
		home = user->pw_dir;
	return home != NULL &&
	    snprintf(path, PATH_MAX, "%s/.config/assay/%s", home, name) < PATH_MAX;
}

static const char *
environment(const char *name)
{
	const char	*value = getenv(name);

	return value != NULL && value[0] != '\0' ? value : NULL;
}

static int
find_token(const struct credentials *c, struct credentials_found *f, struct assay_error *why)
{
	const char	*given = c->token;
	char		 path[PATH_MAX];

	if (given == NULL && c->token_file != NULL)
		return open_token(f, c->token_file, true, why);
	if (given == NULL && (given = environment("ASSAY_TOKEN")) == NULL)
		return own_file("token", path) ? open_token(f, path, false, why) : 0;
	(void)strcpy(f->token_from, c->token != NULL ? "the token" : "$ASSAY_TOKEN");
	if (snprintf(f->token, sizeof f->token, "%s", given) >= (int)sizeof f->token)
		f->token[0] = '\0';
	return check_token(f, why);
}

/* A file that is named must be there. */
static int
find_file(const char *given, const char *variable, char path[PATH_MAX], struct assay_error *why)
{
	if (given == NULL && (given = environment(variable)) == NULL)
		return 0;
	(void)snprintf(path, PATH_MAX, "%s", given);
	if (access(path, R_OK) == 0)
		return 0;
	return problem(why, errno == ENOENT ? "not_found" : "denied", "%.400s: %s", path,
	    strerror(errno));
}

int
credentials_find(const struct credentials *c, struct credentials_found *f,
    struct assay_error *why)
{
	memset(f, 0, sizeof *f);
	if (find_token(c, f, why) != 0 || find_file(c->ca, "ASSAY_CA_FILE", f->ca, why) != 0 ||
	    find_file(c->cert, "ASSAY_CERT", f->cert, why) != 0 ||
	    find_file(c->key, "ASSAY_KEY", f->key, why) != 0)
		return -1;
	if (f->ca[0] == '\0' && (!own_file("ca.pem", f->ca) || access(f->ca, R_OK) != 0))
		f->ca[0] = '\0';
	return 0;
}
