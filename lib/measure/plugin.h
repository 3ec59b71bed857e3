/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plugin.h - the things that can be measured, by name: which there are, and how they are loaded.
 *
 * A plug-in is corral-peer-NAME.so in $CORRAL_PEERS; if that is not set, in the first of these that has it: peers/
 * beside the executable, ../bench/peers of a build tree, LIBDIR/corral/ as it lies from the tool (a staged install or a
 * moved prefix), LIBDIR/corral/ as it was configured.
 */
#ifndef CORRAL_MEASURE_PLUGIN_H
#define CORRAL_MEASURE_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>

#include "peer.h"

struct measure_known {
	const char *name;
	const char *package; /* Debian package that it is built with; NULL if it needs none */
	bool later;	     /* a name of the contract that no version has yet */
};

/* NULL: nobody knows that name. */
const struct measure_known *measure_known(const char *name);

/* The names that can be asked for, "corral, rte_ring, …". */
void measure_known_names(char *text, size_t size);

/* NULL: text says why it cannot be had, and how to get it. Loaded once; stays loaded. */
const struct peer *measure_peer_load(const struct measure_known *known, char *text, size_t size);

/* NULL: this peer has no mode of that name. */
const struct peer_mode *measure_peer_mode(const struct peer *peer, const char *mode);

/* One mode only, named "-": it is measured once, whatever modes are asked for. */
bool measure_peer_modeless(const struct peer *peer);

#endif
