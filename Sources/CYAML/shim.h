// The C face of libyaml, as it is.
#ifndef BANDOLIER_CYAML_SHIM_H
#define BANDOLIER_CYAML_SHIM_H

#include <yaml.h>

#endif
