/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_TUNE_TUNE_SAVE_H
#define ASSAY_CLIENT_CMD_TUNE_TUNE_SAVE_H

#include "client/tune/finish.h"

/* Files that `assay tune` leaves. */
struct tune_save {
	const char	*winner, *html;		/* NULL: not wanted */
};

/* `document` is finish_document's. */
enum status	 tune_save(const struct tune_save *, const struct finish *, const struct tuner *,
		    const json_t *document, struct fault *);

#endif
