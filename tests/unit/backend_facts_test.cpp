// What each backend says about FlagGems and graph capture, and that none of it leaks to another.
#include <boost/test/unit_test.hpp>
#include <set>

#include "backends/registry.hpp"

using namespace zl::backends;

namespace {

const Traits& traits(const std::string& name) {
  return find_backend(name, {}).traits;
}

std::set<CaptureVerdict> verdicts(const std::string& backend, const std::string& message) {
  std::set<CaptureVerdict> found;
  for (const auto& wording : traits(backend).capture_wordings)
    if (message.find(wording.text) != std::string::npos) found.insert(wording.verdict);
  return found;
}

const std::set refused = {CaptureVerdict::refused};
const std::set poisoned = {CaptureVerdict::poisoned};
const std::set<CaptureVerdict> none;

}  // namespace

BOOST_AUTO_TEST_SUITE(backend_facts)

BOOST_AUTO_TEST_CASE(names_as_flaggems_and_the_switches_spell_them) {
  BOOST_TEST(traits("cuda").flaggems_vendor == "nvidia");
  BOOST_TEST(traits("musa").flaggems_vendor == "mthreads");
  BOOST_TEST(traits("rocm").flaggems_vendor == "amd");
  BOOST_TEST(traits("ascend").flaggems_vendor == "ascend");
  BOOST_TEST(traits("host").flaggems_vendor == "");
  BOOST_TEST(traits("musa").switch_prefix == "FLAGTREE_MUSA_");
  BOOST_TEST(traits("cuda").switch_prefix == "FLAGTREE_CUDA_");
}

/// The messages are those of a card, cut to their first line.
BOOST_AUTO_TEST_CASE(refusals_of_cuda) {
  for (const char* message :
       {"CUDA error: operation failed due to a previous error during capture",
        "Cannot copy between CPU and CUDA tensors during CUDA graph capture unless the CPU tensor "
        "is pinned.",
        "CUDAGeneratorImpl::set_current_seed can be called during stream capture only if new seed "
        "is the same as the original seed."})
    BOOST_TEST((verdicts("cuda", message) == refused), message);
  BOOST_TEST((verdicts("cuda", "CUDA error: an illegal memory access was encountered") ==
              std::set{CaptureVerdict::fatal}));
  BOOST_TEST((verdicts("cuda", "'torch._C.Generator' object has no attribute 'x'") == none));
}

BOOST_AUTO_TEST_CASE(refusals_and_poison_of_musa) {
  BOOST_TEST(
      (verdicts("musa", "Cannot call MUSAGeneratorImpl::current_seed during MUSA graph capture") ==
       refused));
  BOOST_TEST((verdicts("musa", "MUSA error: operation not permitted when stream is capturing") ==
              refused));
  BOOST_TEST((verdicts("musa", "MUSA error: unknown error") == poisoned));
}

BOOST_AUTO_TEST_CASE(nothing_leaks_to_another_backend) {
  for (const auto& backend : registry()) {
    const auto& own = backend.traits;
    BOOST_TEST_CONTEXT(own.name) {
      if (!own.graph_capture) {
        BOOST_TEST(own.graph_class.empty());
        BOOST_TEST(own.capture_wordings.empty());
        BOOST_TEST(own.never_captured.empty());
      }
      if (own.name != "musa") {
        BOOST_TEST((verdicts(own.name, "MUSA error: unknown error") == none));
        BOOST_TEST(own.never_captured.empty());
        BOOST_TEST(own.lifted_guards.empty());
      }
      // No poisoning was seen on CUDA, and none is guessed.
      if (own.name == "cuda")
        for (const auto& wording : own.capture_wordings)
          BOOST_TEST((wording.verdict != CaptureVerdict::poisoned));
    }
  }
  BOOST_TEST((verdicts("musa",
                       "CUDA error: operation failed due to a previous error during "
                       "capture") == none));
}

/// Keys are FLAGGEMS_PERF_CURRENT_OP: the test function less `test_`, neither an operator's mark
/// (unique2 is `test_unique2`) nor a node.
BOOST_AUTO_TEST_CASE(key_space_of_the_deny_list) {
  BOOST_TEST(traits("musa").never_captured == std::vector<std::string>{"unique2"});
  for (const auto& backend : registry()) {
    for (const auto& key : backend.traits.never_captured) {
      BOOST_TEST(!key.empty());
      BOOST_TEST(!key.starts_with("test_"), key);
      BOOST_TEST(key.find_first_of(":/.[") == std::string::npos, key);
    }
  }
}

BOOST_AUTO_TEST_CASE(lifted_guards_are_pinned_to_file_and_reason) {
  const auto& guards = traits("musa").lifted_guards;
  BOOST_REQUIRE(guards.size() == 1U);
  BOOST_TEST(guards[0].file == "benchmark/test_fft.py");
  BOOST_TEST(guards[0].reason == "CUDA is not available");
}

BOOST_AUTO_TEST_SUITE_END()
