#ifndef BANDOLIER_MEMORY_H
#define BANDOLIER_MEMORY_H

#include <stddef.h>

/* Has blocks of memory of at least so many bytes returned to the system when they are freed, where the C library can
   be told to. */
void bandolier_return_blocks(size_t least);

#endif
