/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/setup/places.h"

enum { WIDE = 3 };		/* housekeeping CPUs to a slot */

/* CPUs for supervisors alone. */
static unsigned
reserved(const struct topology *t)
{
	return t->nhouse >= WIDE * t->nslots ? t->nslots : 0;
}

unsigned
places_builders(const struct topology *t, unsigned asked)
{
	return asked != 0 ? asked : t->nhouse - reserved(t);
}

int
places_builder_cpu(const struct topology *t, unsigned builder)
{
	return t->house_cpu[builder % (t->nhouse - reserved(t))];
}

int
places_supervisor_cpu(const struct topology *t, unsigned builders, unsigned slot)
{
	const unsigned	own = reserved(t);

	return t->house_cpu[own != 0 ? t->nhouse - own + slot : (builders + slot) % t->nhouse];
}
