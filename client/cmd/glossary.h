/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_GLOSSARY_H
#define ASSAY_CLIENT_CMD_GLOSSARY_H

/* Print the words that a user meets in output, each with its meaning in daemon/ARCHITECTURE.md. */
void	 glossary_print(void);

#endif
