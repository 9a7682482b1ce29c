/* SPDX-License-Identifier: Apache-2.0 */
/* random: points by chance without repetition.  The bar for the others. */
#include "client/search/strategy/strategy_impl.h"

const struct strategy_kind	strategy_random = {
	.name = "random",
	.next = strategy_fresh,
};
