/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exports.c - the inline calls of the ring headers once more, as symbols of the library: for languages that cannot
 * include C. Same code, same names.
 */
#define CORRAL_EXPORT_INLINES
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#include <corral/ring.h>
