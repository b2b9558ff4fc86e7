#define BOOST_TEST_MODULE zl
#include <boost/test/unit_test.hpp>

#include "process/process.hpp"

namespace {

struct AdoptOrphans {
  AdoptOrphans() { zl::process::adopt_orphans(); }
};

}  // namespace

BOOST_TEST_GLOBAL_FIXTURE(AdoptOrphans);
