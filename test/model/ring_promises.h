/* SPDX-License-Identifier: BSD-3-Clause */
/* ring_promises.h - what a ring promises beside moving objects: what its calls see of what came before others. */
#ifndef CORRAL_TEST_RING_PROMISES_H
#define CORRAL_TEST_RING_PROMISES_H

#include "model.h"

/* Explore all whose name has filter in it (NULL: all), and report each. */
void ring_promises(const char *filter, model_report report);

#endif
