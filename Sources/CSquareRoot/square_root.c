#include "square_root.h"
