#include <boost/process/v2/src.hpp>
