/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_COMPLETE_SCRIPTS_H
#define ASSAY_CLIENT_CMD_COMPLETE_SCRIPTS_H

/* The script of a shell (client/completion/); NULL: there is none. */
const char	*scripts_of(const char *shell);

#endif
