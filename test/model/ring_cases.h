/* SPDX-License-Identifier: BSD-3-Clause */
/* ring_cases.h - the table of ring scenarios: every mode with every mode. */
#ifndef CORRAL_TEST_RING_CASES_H
#define CORRAL_TEST_RING_CASES_H

#include "model.h"

/* Explore all whose text has filter in it (NULL: all), and report each. */
void ring_cases(const char *filter, model_report report);

#endif
