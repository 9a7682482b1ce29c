/* SPDX-License-Identifier: Apache-2.0 */
#include "client/derive/record.h"
#include "proto/text/prototype.h"
#include "proto/spec/spec.h"

static size_t
round_up(size_t bytes, size_t unit)
{
	return (bytes + unit - 1) / unit * unit;
}

const char *
record_add(struct record_made *r, const char *name, const char *type, size_t count, size_t offset)
{
	enum ctype	known;
	size_t		align;
	json_t		*member;

	if (r->members == NULL)
		*r = (struct record_made){ json_array(), 0, 1 };
	if (ctype_parse(&known, type, NULL) != ST_OK || ctype_bytes(known) == 0)
		return "is no number and no array of numbers";
	if (json_array_size(r->members) == SPEC_MAX_MEMBERS)
		return "is one member too many";
	if (count < 1 || count > SPEC_MAX_MEMBER_COUNT)
		return "has a length that a spec cannot have";
	align = ctype_class(known) == 'c' ? ctype_bytes(known) / 2 : ctype_bytes(known);
	if (offset != round_up(r->bytes, align))
		return "does not lie where C puts it";
	r->bytes = offset + count * ctype_bytes(known);
	r->align = r->align > align ? r->align : align;
	member = json_pack("[s, s]", name, type);
	if (count > 1)
		(void)json_array_append_new(member, json_integer((json_int_t)count));
	return json_array_append_new(r->members, member) == 0 ? NULL : "has a strange name";
}

const char *
record_check(const struct record_made *r, size_t bytes)
{
	if (r->members == NULL)
		return "has no members";
	return round_up(r->bytes, r->align) == bytes ? NULL : "is longer than its members";
}

void
record_release(struct record_made *r)
{
	json_decref(r->members);
	r->members = NULL;
}
