/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/cpulist.h"

enum { LIST_BYTES = 1024 };

static bool
parse_range(const char **text, unsigned long *first, unsigned long *last)
{
	char	*end;

	if (!isdigit((unsigned char)**text))
		return false;
	*first = *last = strtoul(*text, &end, 10);
	if (*end == '-') {
		if (!isdigit((unsigned char)end[1]))
			return false;
		*last = strtoul(end + 1, &end, 10);
	}
	*text = end;
	return *first <= *last && *last < CPU_SETSIZE;
}

bool
cpulist_parse(const char *text, cpu_set_t *out)
{
	unsigned long	first, last;

	CPU_ZERO(out);
	for (text += strspn(text, " "); *text != '\0'; text += strspn(text, ", \n")) {
		if (!parse_range(&text, &first, &last) ||
		    (*text != '\0' && strchr(", \n", *text) == NULL))
			return false;
		for (; first <= last; first++)
			CPU_SET(first, out);
	}
	return true;
}

bool
cpulist_parse_lists(const char *text, cpu_set_t *out, unsigned most, unsigned *n)
{
	char	one[LIST_BYTES];

	for (*n = 0; *text != '\0'; text += *text == ';') {
		size_t	length = strcspn(text, ";");

		(void)snprintf(one, sizeof one, "%.*s", (int)length, text);
		if (length >= sizeof one || *n == most || !cpulist_parse(one, &out[*n]) ||
		    CPU_COUNT(&out[*n]) == 0)
			return false;
		++*n;
		text += length;
	}
	return *n > 0;
}

bool
cpulist_parse_mask(const char *text, cpu_set_t *out)
{
	unsigned	bit = 0;

	CPU_ZERO(out);
	for (size_t i = strlen(text); i-- > 0;) {
		char		digit[2] = { text[i], '\0' };
		unsigned long	value;

		if (text[i] == ',')
			continue;
		if (!isxdigit((unsigned char)text[i]))
			return false;
		value = strtoul(digit, NULL, 16);
		for (unsigned b = 0; b < 4; b++, bit++) {
			if (!(value >> b & 1))
				continue;
			if (bit >= CPU_SETSIZE)
				return false;
			CPU_SET(bit, out);
		}
	}
	return true;
}

static size_t
put_range(char *buf, size_t bytes, size_t used, int first, int last)
{
	int	n;

	if (first == last)
		n = snprintf(buf + used, bytes - used, "%s%d", used > 0 ? "," : "", first);
	else
		n = snprintf(buf + used, bytes - used, "%s%d-%d", used > 0 ? "," : "", first, last);
	if (n < 0 || used + (size_t)n >= bytes) {
		buf[used] = '\0';
		return used;
	}
	return used + (size_t)n;
}

char *
cpulist_format(const cpu_set_t *set, char *buf, size_t bytes)
{
	size_t	used = 0;

	buf[0] = '\0';
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		int	last = cpu;

		if (!CPU_ISSET((unsigned)cpu, set))
			continue;
		while (last + 1 < CPU_SETSIZE && CPU_ISSET((unsigned)last + 1, set))
			last++;
		used = put_range(buf, bytes, used, cpu, last);
		cpu = last;
	}
	return buf;
}

static unsigned
word_of(const cpu_set_t *set, int word)
{
	unsigned	value = 0;

	for (int b = 0; b < 32; b++)
		if (CPU_ISSET((unsigned)(word * 32 + b), set))
			value |= 1u << b;
	return value;
}

char *
cpulist_format_mask(const cpu_set_t *set, char *buf, size_t bytes)
{
	size_t	used = 0;
	int	word = CPU_SETSIZE / 32 - 1;

	while (word > 0 && word_of(set, word) == 0)
		word--;
	for (bool first = true; word >= 0; word--, first = false) {
		int	n = snprintf(buf + used, bytes - used, first ? "%x" : ",%08x",
			    word_of(set, word));

		if (n < 0 || used + (size_t)n >= bytes)
			break;
		used += (size_t)n;
	}
	return buf;
}

void
cpulist_subtract(cpu_set_t *from, const cpu_set_t *what)
{
	for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, what))
			CPU_CLR(cpu, from);
}

bool
cpulist_overlap(const cpu_set_t *a, const cpu_set_t *b)
{
	cpu_set_t	both;

	CPU_AND(&both, a, b);
	return CPU_COUNT(&both) != 0;
}

unsigned
cpulist_split(const cpu_set_t *set, cpu_set_t *out)
{
	unsigned	n = 0;

	for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, set))
			continue;
		CPU_ZERO(&out[n]);
		CPU_SET(cpu, &out[n++]);
	}
	return n;
}

int
cpulist_first(const cpu_set_t *set)
{
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET((unsigned)cpu, set))
			return cpu;
	return -1;
}
