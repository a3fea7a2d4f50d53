#ifndef BANDOLIER_MEMORY_H
#define BANDOLIER_MEMORY_H

#include <stddef.h>

/* Has blocks of memory of at least so many bytes returned to the system when they are freed, where the C library can
   be told to. */
void bandolier_return_blocks(size_t least);

/* Asks the processor to load an address into its cache, and does not wait for it. */
static inline void bandolier_prefetch(const void *address) {
  __builtin_prefetch(address);
}

#endif
