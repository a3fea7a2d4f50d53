#ifndef BANDOLIER_COMMIT_H
#define BANDOLIER_COMMIT_H

/* Returns the commit that the program was built from; an empty text if it is unknown. */
const char *bandolier_commit(void);

#endif
