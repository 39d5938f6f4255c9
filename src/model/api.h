/* SPDX-License-Identifier: Apache-2.0
 *
 * What the functions of include/jumar share, and what tools may look at behind them.
 */
#ifndef JUMAR_MODEL_API_H
#define JUMAR_MODEL_API_H

#include "base/status.h"
#include "compiler/graph.h"
#include "jumar/jumar.h"
#include "jumar/session.h"

/* The public number of an internal status. The message stays where it is. */
jumar_status jm_public_status(jm_status status);

/* The graph that a session runs. */
const jm_graph *jm_session_graph(const jumar_session *session);

#endif
