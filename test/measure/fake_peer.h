/* SPDX-License-Identifier: BSD-3-Clause */
/* fake_peer.h - the modes of the fake plug-in, each with one fault (the tool has to know a mode's name). */
#ifndef CORRAL_TEST_FAKE_PEER_H
#define CORRAL_TEST_FAKE_PEER_H

#define FAKE_GOOD "mt"
#define FAKE_LOSES "rts"	 /* an object is put and never comes out */
#define FAKE_DOUBLES "hts"	 /* one comes out twice */
#define FAKE_STALE "st"		 /* in place of one an older copy of itself comes back (one worker) */
#define FAKE_DAMAGES "mt/rts"	 /* one comes out with a bit flipped */
#define FAKE_DISORDERS "mt/hts"	 /* two change places */
#define FAKE_TEARS "rts/mt"	 /* one has half of its neighbour (8 bytes and more) */
#define FAKE_STRANGER "rts/hts"	 /* one is there that nobody put */
#define FAKE_HANGS "hts/mt"	 /* the loop does not end */
#define FAKE_NONE "hts/rts"	 /* has no loop for anything */
#define FAKE_UNMADE "mt/st"	 /* cannot be made: ENOSPC */
#define FAKE_FULL "st/mt"	 /* has room for one object */
#define FAKE_BOTTOMLESS "st/rts" /* gives objects for ever */

#endif
