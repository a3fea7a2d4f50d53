#include "commit.h"

/* `make build` sets it; a build by other means does not know. */
#ifndef BANDOLIER_COMMIT
#define BANDOLIER_COMMIT ""
#endif

const char *bandolier_commit(void) { return BANDOLIER_COMMIT; }
