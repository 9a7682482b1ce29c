/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include <isl/map.h>
#include <isl/point.h>
#include <isl/val.h>

#include "client/transform/legality/pair.h"

/* ---- words ---- */

static const struct use *
find_use(const struct model *m, unsigned id, unsigned n)
{
	for (size_t i = 0; i < m->nuses; i++)
		if (m->uses[i].id == id && m->uses[i].n == n)
			return &m->uses[i];
	return NULL;
}

static void
put_values(char *to, size_t bytes, isl_point *p, int from, int n)
{
	isl_val	*v;
	size_t	 used = 0;
	char	*text;

	to[0] = '\0';
	for (int i = 0; i < n && used + 24 < bytes; i++) {
		v = isl_point_get_coordinate_val(p, isl_dim_set, from + i);
		text = isl_val_to_str(v);
		used += (size_t)snprintf(to + used, bytes - used, "%s%.20s", i > 0 ? ", " : "",
		    text != NULL ? text : "?");
		free(text);
		isl_val_free(v);
	}
}

/* "line 7 in iteration (r, q) = (0, 1)" */
static struct place
put_end(const struct model *m, const char *name, const char *values, char *to, size_t bytes)
{
	struct place		 at = { 0, 0, 0 };
	const struct use	*use;
	const struct symbol	*s;
	unsigned		 id = 0, n = 0;

	if (name[0] == 'I' || name[0] == 'F') {
		s = sscanf(name + 1, "%u", &id) == 1 && id < m->source->nsymbols ?
		    m->source->symbols[id] : NULL;
		(void)snprintf(to, bytes, name[0] == 'I' ? "%s[%s] as it is before the nest" :
		    "%s[%s] after the nest", s != NULL ? s->name : "?", values);
		return at;
	}
	if (sscanf(name + 1, "%u_%u", &id, &n) != 2 || (use = find_use(m, id, n)) == NULL) {
		(void)snprintf(to, bytes, "(%s)", values);
		return at;
	}
	(void)snprintf(to, bytes, "%s in line %u%s%s%s%s%s", use->symbol->name, use->at.line,
	    values[0] != '\0' ? " in iteration (" : "", values[0] != '\0' ? use->loops : "",
	    values[0] != '\0' ? ") = (" : "", values, values[0] != '\0' ? ")" : "");
	return use->at;
}

static void
describe_pair(const struct model *m, isl_map *map, struct pair *out)
{
	isl_point	*p;
	struct place	 from, to;
	char		 source[128], sink[128];
	int		 nin = (int)isl_map_dim(map, isl_dim_in);

	p = isl_set_sample_point(isl_map_wrap(isl_map_copy(map)));
	put_values(source, sizeof source, p, 0, nin);
	put_values(sink, sizeof sink, p, nin, (int)isl_map_dim(map, isl_dim_out));
	from = put_end(m, isl_map_get_tuple_name(map, isl_dim_in), source, out->from,
	    sizeof out->from);
	to = put_end(m, isl_map_get_tuple_name(map, isl_dim_out), sink, out->to, sizeof out->to);
	out->is_final = isl_map_get_tuple_name(map, isl_dim_out)[0] == 'F';
	out->at = to.line > 0 ? to : from;
	out->found = true;
	isl_point_free(p);
}

void
pair_find(const struct model *m, isl_union_map *relation, struct pair *out)
{
	isl_map_list	*list = isl_union_map_get_map_list(relation);
	isl_map		*map;

	for (int i = 0; i < isl_map_list_n_map(list); i++) {
		map = isl_map_list_get_map(list, i);
		if (!out->found || out->is_final)
			describe_pair(m, map, out);
		isl_map_free(map);
	}
	isl_map_list_free(list);
}
