#include "memory.h"

#ifdef __linux__
#include <malloc.h>
#endif

void bandolier_return_blocks(size_t least) {
#ifdef M_MMAP_THRESHOLD
  mallopt(M_MMAP_THRESHOLD, (int)least);
#else
  (void)least;
#endif
}
