// The canonical pass on its own, on one core, over the real kernels of tests/data/ir; beside it
// the hash, and memcpy as the machine's own bound.

#include <benchmark/benchmark.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "ir/canonical.hpp"
#include "ir/digest.hpp"

namespace {

using namespace zl;

/// Each kernel with its padding. `marked`: with the attributes that a switch leaves.
std::vector<std::string> kernels(bool marked) {
  std::vector<std::string> texts;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(ZL_TEST_DATA "/ir/triton-cache")) {
    if (entry.path().extension() != ".ttgir") continue;
    auto text = read_file(entry.path());
    const auto module = text.find("module attributes {");
    if (marked && module != std::string::npos)
      text.insert(module + 19, "\"ttg.rlc-convert-minimum-elements\" = 32 : i32, ttg.rlc-b, ");
    texts.push_back(std::move(text));
  }
  return texts;
}

template <typename Work>
void over_kernels(benchmark::State& state, bool marked, const Work& work) {
  auto texts = kernels(marked);
  std::size_t bytes = 0, largest = 0;
  for (auto& text : texts) {
    bytes += text.size();
    largest = std::max(largest, text.size());
    text.reserve(text.size() + ir::canonical_padding);
  }
  std::string out(largest + 1 + ir::canonical_padding, '\0');
  for (auto _ : state)
    for (const auto& text : texts) work(text, out.data());
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) *
                          static_cast<std::int64_t>(state.iterations()));
}

void canonical_pass(benchmark::State& state) {
  const std::vector<std::string> strip = {"ttg.rlc-"};
  over_kernels(state, state.range(0) != 0, [&](const std::string& text, char* out) {
    ir::TextFacts facts;
    benchmark::DoNotOptimize(ir::canonical_lines(text, strip, out, facts));
    benchmark::DoNotOptimize(facts);
  });
}
BENCHMARK(canonical_pass)->ArgName("marked")->Arg(0)->Arg(1);

void hash(benchmark::State& state) {
  ir::Hasher hasher(1);
  over_kernels(state, false, [&](const std::string& text, char*) {
    hasher.reset();
    hasher.add(text);
    benchmark::DoNotOptimize(hasher.digest());
  });
}
BENCHMARK(hash);

void copy(benchmark::State& state) {
  over_kernels(state, false, [&](const std::string& text, char* out) {
    text.copy(out, text.size());
    benchmark::ClobberMemory();
  });
}
BENCHMARK(copy);

}  // namespace

BENCHMARK_MAIN();
