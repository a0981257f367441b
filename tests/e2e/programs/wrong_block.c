// An all-to-all with one mistake, which MISTAKE names.
#include "weft_hal.h"

#define WRONG_WORD 1  // Rank 1 sends rank 3 a wrong word 1.
#define TWICE 2       // Rank 3 sends rank 0 its word 0 a second time, as rank 1's word 1, tag 2.
#define FORGOTTEN 3   // Rank 2 sends rank 1 a header alone.
#define OWN_STORE 4   // Rank 2 overwrites half a word that rank 0 has sent it, with the cycle.

int weft_main(void) {
  const struct weft_job* job = weft_job();
  const uint32_t others = job->nodes - 1;
  const uint32_t block = job->message_flits * WEFT_FLIT_BYTES;
  if (MISTAKE == WRONG_WORD && job->rank == 1) {
    uint32_t* words = (uint32_t*)weft_mem(job->send_base + 3 * block);
    words[2] ^= 0x10000;
  }
  weft_copy(job->recv_base + job->rank * block, job->send_base + job->rank * block,
            job->message_flits);
  for (uint32_t i = 1; i <= others; ++i) {
    const uint32_t to = (job->rank + i) % job->nodes;
    const int forgets = MISTAKE == FORGOTTEN && job->rank == 2 && to == 1;
    weft_send(to, job->send_base + to * block, forgets ? 0 : job->message_flits, job->rank * block,
              0, 0);
  }
  weft_wait_received(0, others);
  if (MISTAKE == TWICE && job->rank == 3) {
    weft_pause(500);
    weft_send(0, job->send_base, 1, block + WEFT_FLIT_BYTES, 2, 0);
  }
  if (MISTAKE == TWICE && job->rank == 0) {
    weft_wait_received(2, 1);
  }
  if (MISTAKE == OWN_STORE && job->rank == 2) {
    *(volatile uint32_t*)weft_mem(job->recv_base + 4) = weft_reg_read(WEFT_REG_CYCLE);
  }
  return WEFT_OK;
}
