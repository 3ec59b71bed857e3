/* SPDX-License-Identifier: BSD-3-Clause */
/* litmus.h - the explorer's own exam: programs whose outcomes are known. */
#ifndef CORRAL_TEST_LITMUS_H
#define CORRAL_TEST_LITMUS_H

#include "model.h"

/* Run all whose name has filter in it (NULL: all), and report each. */
void litmus(const char *filter, model_report report);

/* One random program: does the search find what brute force finds, each once? 0, or -1. */
int litmus_random(uint64_t seed, struct model_result *result);

#endif
