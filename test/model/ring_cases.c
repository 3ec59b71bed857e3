/* SPDX-License-Identifier: BSD-3-Clause */
/* ring_cases.c - see ring_cases.h. The language of the texts is explained in ring_world.h. */
#include "ring_cases.h"

#include "ring_world.h"

static const char *const cases[] = {
	/* one slot: each pair of modes, one to two threads a side */
	"cap=1 : P1 | G1",
	"cap=1 : P1 | P1 | G1",
	"cap=1 has=1 : P1 | G1 | G1",
	"cap=1 : P1 | P1 | G1 | G1",
	"cap=1 : P1 P1 | P1 | G1 G1",
	"cap=1 has=1 : P1 P1 | G1 G1 | G1",
	/* two slots: claims in flight at once */
	"cap=2 : P1 P1 | P1 | G1 G1",
	"cap=2 has=1 : P1 P1 | G1 G1 | G1",
	"cap=2 has=1 : P1 | P1 | G1 | G1",
	"cap=2 has=2 : G2 | P1 | P1",
	"cap=2 : P2 | G1 | G1",
	"cap=2 has=1 : P1 P1 | P1 | G1",
	"cap=2 has=1 : P1 | G1 G1 | G1",
	/* laps */
	"cap=2 : P1 P1 P1 P1 | G1 G1 G1 G1",
	/* bulk and burst, over the end of the table; a capacity that is no power of two */
	"cap=3 : P2 p2 P1 | g2 G1 g3",
	"cap=3 at=3 : P2 | p3 | g3 G1",
	"cap=3 at=2 has=2 : P2 | G2 | g3",
	"cap=2 at=1 has=1 : p2 P1 | p2 | g2 g2",
	"cap=4 at=3 : P2 P2 | P2 | G3 g4",
	/* elements of several words: torn ones would be seen */
	"cap=2 esize=8 at=1 : P2 | P1 | g2",
	"cap=2 esize=12 at=1 has=1 : P1 | G2 | g1",
	/* just below the wraps: of 32 bits, of rts_diff's 47 and of RTS's 48, of the sign at 62, of the word at 63 */
	"cap=1 at=0xffffffff : P1 P1 | P1 | G1 G1",
	"cap=1 at=0x7fffffffffff : P1 P1 | P1 | G1 G1",
	"cap=2 at=0xffffffffffff has=1 : P1 P1 | P1 | G1 G1",
	"cap=2 at=0xffffffffffff has=1 : P1 P1 | G1 G1 | G1",
	"cap=2 at=0x3fffffffffffffff has=1 : P1 P1 | P1 | G1 G1",
	"cap=2 at=0x3fffffffffffffff has=1 : P1 P1 | G1 G1 | G1",
	"cap=2 at=0x7fffffffffffffff has=1 : P1 P1 | P1 | G1 G1",
	"cap=2 at=0x7fffffffffffffff has=1 : P1 P1 | G1 G1 | G1",
	/* what is left */
	"cap=2 : P+1 P+1 | P1 | G+1 G1",
	"cap=2 has=2 : P+1 p+2 | G+1 | g+2 G1",
	/* slip: on, and with the pause before the look */
	"cap=2 slip=1 : P1 P1 | P1 | G1 G1",
	"cap=2 slip=2 : P1 P1 | P1 | G1 G1",
	/* flush */
	"cap=2 : P1 F | P1 F | G1 G1",
	/* peek and zero copy: some, none and all of it taken, beside others */
	"cap=2 has=1 : P1 | K1,1 | G1",
	"cap=2 has=2 : P1 P1 | K2,1 | G1 g2",
	"cap=1 has=1 : P1 | K1,0 | G1",
	"cap=2 has=2 : P1 | K2,0 | g2 | G1",
	"cap=2 at=1 has=2 : P1 | Z2,1 | g2",
	"cap=1 has=1 : P1 P1 | Z1,1 | Z1,0 G1",
	"cap=2 : Q2,1 P1 | G1 | P1",
	"cap=2 : Q2,0 | P1 P1 | G1 G1",
	"cap=2 at=1 : Y2,2 | P1 | g2 g2",
	"cap=1 : Y1,0 Y1,1 | P1 | G1 G1",
	"cap=1 : Q1,1 Q1,0 | Q1,1 | K1,1 K1,0",
	"cap=1 has=1 : P1 P1 | K1,0 G1 | G1",
	"cap=1 has=1 : P1 | K1,0 | K1,0 | G1",
	/* slip once more: most of all executions, so they come last */
	"cap=1 slip=2 has=1 : P1 P1 | G1 G1 | G1",
};

void ring_cases(const char *filter, model_report report)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ring_world_explore(cases[i], filter, report);
}
