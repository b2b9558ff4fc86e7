// The FlagGems provider without a process: options, plans, commands, reports, resolution.
#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>

#include "backends/registry.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/sha256.hpp"
#include "campaign/flaggems_cell.hpp"
#include "campaign/flaggems_nodes.hpp"
#include "campaign/flaggems_options.hpp"
#include "campaign/flaggems_report.hpp"
#include "campaign/harvest.hpp"
#include "formats/json.hpp"
#include "scratch.hpp"

using namespace zl;
using namespace zl::campaign;

namespace {

const backends::Backend& backend(const std::string& name) {
  return backends::find_backend(name, {});
}

CellRequest request(const std::string& vendor, unsigned round = 1, Side side = Side::before) {
  CellRequest made;
  made.cell = {"mm", round, side};
  made.first_cell = {"mm", 1, Side::before};
  made.root = "/root";
  made.folder = "/root/mm/cell";
  made.backend = &backend(vendor);
  made.device.index = "0";
  made.device.uuid = "GPU-1";
  made.switch_name = "SWITCH";
  made.pinned = {{"VISIBLE", "0"}};
  return made;
}

using test::Scratch;

bool is_usage(const Error& error) {
  return error.kind() == ErrorKind::usage;
}

const std::vector<FlagGemsNode> nodes = {{"abs", "benchmark/test_abs.py", "test_abs"},
                                         {"abs_", "benchmark/test_abs.py", "test_abs_inplace"},
                                         {"unique2", "benchmark/test_unique.py", "test_unique2"},
                                         {"sort", "benchmark/test_sort.py", "test_perf_sort"},
                                         {"dim", "benchmark/test_dim.py", "test_dim0"},
                                         {"dim", "benchmark/test_dim.py", "test_dim1"}};

}  // namespace

BOOST_AUTO_TEST_SUITE(flaggems)

BOOST_AUTO_TEST_CASE(sha256_by_the_standards_examples) {
  BOOST_TEST(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  BOOST_TEST(sha256_hex("abc") ==
             "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  BOOST_TEST(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
             "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  BOOST_TEST(sha256_hex(std::string(1'000'000, 'a')) ==
             "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

BOOST_AUTO_TEST_CASE(operators_resolve_to_one_node) {
  BOOST_TEST(resolve_flaggems_node(nodes, "abs_").function == "test_abs_inplace");
  BOOST_TEST(resolve_flaggems_node(nodes, "abs_inplace").op == "abs_");
  BOOST_TEST(resolve_flaggems_node(nodes, "test_unique2").op == "unique2");
  BOOST_TEST(resolve_flaggems_node(nodes, "perf_sort").op == "sort");
  BOOST_TEST(resolve_flaggems_node(nodes, "benchmark/test_dim.py::test_dim1").function ==
             "test_dim1");
  BOOST_CHECK_EXCEPTION(resolve_flaggems_node(nodes, "dim"), Error, [](const Error& error) {
    return is_usage(error) && std::string(error.what()).find("test_dim1") != std::string::npos;
  });
  BOOST_CHECK_EXCEPTION(resolve_flaggems_node(nodes, "uniqe2"), Error, [](const Error& error) {
    return is_usage(error) &&
           std::string(error.what()).find("near names: unique2") != std::string::npos;
  });
  BOOST_CHECK_EXCEPTION(resolve_flaggems_node({}, "x"), Error, is_usage);
}

BOOST_AUTO_TEST_CASE(test_nodes_exist) {
  BOOST_TEST(find_test_node(nodes, "test_abs.py::test_abs").op == "abs");
  BOOST_TEST(find_test_node(nodes, "benchmark/test_abs.py::test_abs[abs-dtypes1]").op == "abs");
  BOOST_CHECK_EXCEPTION(find_test_node(nodes, "test_bernoulli.py::test_bernoulli_"), Error,
                        is_usage);
}

BOOST_AUTO_TEST_CASE(key_space_of_the_current_op) {
  BOOST_TEST(current_op_key("benchmark/test_unique.py::test_unique2") == "unique2");
  BOOST_TEST(current_op_key("benchmark/test_sort.py::test_perf_sort") == "perf_sort");
  BOOST_TEST(current_op_key("f.py::TestX::test_y[abs-dtypes1]") == "y");
}

BOOST_AUTO_TEST_CASE(plugins_follow_the_backends_capabilities) {
  FlagGemsOptions options;
  const auto list = [&](const char* name) { return plugin_list(options, backend(name).traits); };
  using Names = std::vector<std::string>;
  BOOST_TEST(list("cuda") ==
             (Names{"zl_device", "zl_timing", "zl_capture", "zl_rows", "zl_foreign"}));
  BOOST_TEST(list("musa") ==
             (Names{"zl_guards", "zl_device", "zl_timing", "zl_capture", "zl_rows", "zl_foreign"}));
  BOOST_TEST(list("ascend") == (Names{"zl_device", "zl_timing", "zl_rows", "zl_foreign"}));
  BOOST_TEST(plugin_list(options, backend("rocm").traits, true) ==
             (Names{"zl_device", "zl_timing", "zl_autotune", "zl_rows", "zl_foreign"}));
  options.timer = FlagGemsTimer::direct;
  options.shape_mode = "file";
  BOOST_TEST(list("cuda") ==
             (Names{"zl_device", "zl_timing", "zl_shapes", "zl_rows", "zl_foreign"}));
}

BOOST_AUTO_TEST_CASE(timers_and_what_contradicts_them) {
  FlagGemsOptions options;
  const auto timer = [&](const char* name) { return timer_of(options, backend(name).traits); };
  BOOST_TEST(timer("cuda") == "graph");
  BOOST_TEST(timer("rocm") == "direct");
  options.timer = FlagGemsTimer::direct;
  BOOST_TEST(timer("musa") == "direct");
  options.timer = FlagGemsTimer::graph;
  BOOST_CHECK_EXCEPTION(timer("rocm"), Error, is_usage);
  options.mode = "operator";
  BOOST_CHECK_EXCEPTION(timer("cuda"), Error, is_usage);
  options.timer = FlagGemsTimer::automatic;
  BOOST_TEST(timer("cuda") == "operator");
  options.mode = "cudagraph";
  BOOST_CHECK_EXCEPTION(timer("ascend"), Error, is_usage);
}

BOOST_AUTO_TEST_CASE(options_that_cannot_be_honoured) {
  const auto refused = [](auto change, const process::Environment& environment = {},
                          const char* name = "cuda") {
    FlagGemsOptions options;
    change(options);
    BOOST_CHECK_EXCEPTION(check_flaggems_options(options, backend(name), environment), Error,
                          is_usage);
  };
  check_flaggems_options({}, backend("cuda"), {{"TRITON_KERNEL_OVERRIDE", "0"}});
  refused([](auto&) {}, {{"TRITON_KERNEL_OVERRIDE", "1"}});
  refused([](auto&) {}, {}, "host");
  refused([](auto& options) { options.level = "all"; });
  refused([](auto& options) { options.use_flagtune = "yes"; });
  refused([](auto& options) { options.shape_file = "x"; });
  refused([](auto& options) { options.autotune = Autotune::replay; });
  refused([](auto& options) {
    options.autotune = Autotune::record;
    options.replay_from = "x";
  });
  refused([](auto& options) {
    options.autotune = Autotune::record;
    options.tuner_cache = TunerCache::inherited;
  });
  BOOST_CHECK_EXCEPTION(tuner_cache_from("own"), Error, is_usage);
  BOOST_TEST((autotune_from("off") == Autotune::off));
}

BOOST_AUTO_TEST_CASE(the_first_cell_records_and_the_others_replay) {
  FlagGemsOptions options;
  BOOST_TEST((tuner_role(options, request("cuda")) == TunerRole::record));
  BOOST_TEST((tuner_role(options, request("cuda", 1, Side::after)) == TunerRole::replay));
  BOOST_TEST((tuner_role(options, request("cuda", 2)) == TunerRole::replay));
  options.replay_from = "/run";
  BOOST_TEST((tuner_role(options, request("cuda")) == TunerRole::replay));
  options.replay_from.clear();
  options.tuner_cache = TunerCache::inherited;
  BOOST_TEST((tuner_role(options, request("cuda")) == TunerRole::none));
}

BOOST_AUTO_TEST_CASE(sides_share_no_cache_unless_asked) {
  FlagGemsOptions options;
  const auto before = flaggems_paths(options, request("cuda"));
  const auto after = flaggems_paths(options, request("cuda", 1, Side::after));
  BOOST_TEST(before.flaggems_cache == "/root/mm/cache/before/flaggems");
  BOOST_TEST(before.triton_cache != after.triton_cache);
  BOOST_TEST(before.flaggems_cache != after.flaggems_cache);
  BOOST_TEST(flaggems_paths(options, request("cuda", 2)).triton_cache == before.triton_cache);
  options.tuner_cache = TunerCache::shared;
  BOOST_TEST(flaggems_paths(options, request("cuda")).flaggems_cache ==
             flaggems_paths(options, request("cuda", 1, Side::after)).flaggems_cache);
}

BOOST_AUTO_TEST_CASE(the_command_hides_what_would_mix_the_sides) {
  FlagGemsOptions options;
  options.dir = "/flaggems";
  options.plugin_folder = "/plugins";
  options.dtypes = {"float16", "float32"};
  options.iter_ms = 40;
  const auto command = flaggems_command(options, request("cuda", 2),
                                        "benchmark/test_mm.py::test_mm", {{"PYTHONPATH", "/old"}});
  const auto& set = command.environment;
  for (const char* name : {"FLAGGEMS_DB_URL", "TRITON_STORE_BINARY_ONLY", "TRITON_CACHE_MANAGER",
                           "PYTEST_ADDOPTS", "SWITCH"})
    BOOST_TEST((set.contains(name) && !set.at(name)), name);
  BOOST_TEST(set.at("PYTHONPATH").value() == "/plugins:/old");
  BOOST_TEST(set.at("USE_FLAGTUNE").value() == "0");
  BOOST_TEST(set.at("FLAGGEMS_PERF_CURRENT_OP").value() == "mm");
  BOOST_TEST(set.at("TRITON_CACHE_DIR").value() == "/root/mm/cache/before/triton");
  BOOST_TEST(process::shell_words(command.argv)
                 .find("--level core --mode kernel --iter 40 --dtypes float16 --dtypes float32") !=
             std::string::npos);
  const auto compiling = compile_command(options, request("cuda"), command);
  BOOST_TEST(process::shell_words(compiling.argv).find("--iter 40") == std::string::npos);
  BOOST_TEST(process::shell_words(compiling.argv).find("--warmup 1 --iter 1") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_plan_holds_the_backends_words_and_no_others) {
  FlagGemsOptions options;
  const auto plan = [&](const char* name) {
    return formats::parse_json(print_cell_plan(options, request(name), "mm"), "plan");
  };
  const auto musa = plan("musa"), cuda = plan("cuda");
  BOOST_TEST(musa.at("graph").at("class").as_string() == "MUSAGraph");
  BOOST_TEST(musa.at("graph").at("never").as_array().size() == 1U);
  BOOST_TEST(musa.at("lifted_guards").as_array().size() == 1U);
  BOOST_TEST(cuda.at("lifted_guards").as_array().empty());
  BOOST_TEST(boost::json::serialize(cuda).find("MUSA") == std::string::npos);
  BOOST_TEST(boost::json::serialize(musa).find("CUDAGraph") == std::string::npos);
  BOOST_TEST(cuda.at("device").at("uuid").as_string() == "GPU-1");
  auto part = request("cuda");
  part.device.index = "0:1";
  const auto of_part = formats::parse_json(print_cell_plan(options, part, "mm"), "plan");
  BOOST_TEST(of_part.at("device").at("uuid").as_string() == "");
}

BOOST_AUTO_TEST_CASE(reports) {
  const Scratch scratch;
  const auto file = scratch.write(
      "report.jsonl",
      R"({"kind":"facts","vendor":"nvidia","libraries":{"torch":"2.11"}})"
      "\n"
      R"({"kind":"row","op":"abs","dtype":"torch.float16","size":"[torch.Size([64, 64])]","latency_ms":0.5,"base_ms":1,"status":"SUCCESS","error":null,"timer":"direct","base_timer":"graph","repeat":3,"values":[0.4,0.5,0.9],"reason":"cannot, now","unclear":null})"
      "\n"
      R"({"kind":"row","op":"abs","dtype":"torch.float16","size":"x","latency_ms":null,"base_ms":1,"status":"FAILED","error":"boom","timer":null})"
      "\n"
      R"({"kind":"foreign","vendors":["a","b"]})"
      "\n"
      R"({"kind":"compiler","fingerprint":"0123456789abcdef"})"
      "\n"
      R"({"kind":"row","op":"cut sho)");
  const auto report = read_flaggems_report(file);
  BOOST_REQUIRE(report.rows.size() == 2U);
  const auto& row = report.rows[0];
  BOOST_TEST(row.dtype == "float16");
  BOOST_TEST(row.latency_ms.value() == 0.5);
  BOOST_TEST(row.min_ms.value() == 0.4);
  BOOST_TEST(row.max_ms.value() == 0.9);
  BOOST_TEST(row.note == "direct: cannot; now,base_timer=graph,repeat=3");
  BOOST_TEST(!report.rows[1].latency_ms);
  BOOST_TEST(report.error == "boom");
  BOOST_TEST(report.fallbacks == 1U);
  BOOST_TEST(report.foreign == (std::vector<std::string>{"a", "b"}));
  BOOST_TEST(report.libraries.at("torch") == "2.11");
  BOOST_TEST(report.libraries.at("triton_fingerprint") == "0123456789abcdef");
  BOOST_TEST(read_flaggems_report(scratch.path / "none").rows.empty());
  for (const char* bad : {"no json\n", "{}\n",
                          R"({"kind":"new"})"
                          "\n",
                          R"({"kind":"row","op":"x","status":"SUCCESS","latency_ms":"1"})"
                          "\n"})
    BOOST_CHECK_THROW(read_flaggems_report(scratch.write("bad", bad)), Error);
}

BOOST_AUTO_TEST_CASE(pytests_log) {
  const Scratch scratch;
  const auto log = read_pytest_log(scratch.write(
      "run.log",
      "SKIPPED [1] benchmark/test_fft.py:73: CUDA is not available\n"
      ".Triton autotuning for function mm_kernel finished after 0.70s; config key: (1,), best "
      "config selected: BLOCK_M: 64;\nE   Failed: boom\nE\nTriton autotuning for nothing\n"));
  BOOST_TEST(log.skips == std::vector<std::string>{"CUDA is not available"});
  BOOST_TEST(log.tuned == std::vector<std::string>{"mm_kernel"});
  BOOST_TEST(log.failures == std::vector<std::string>{"Failed: boom"});
}

BOOST_AUTO_TEST_CASE(harvest) {
  const Scratch scratch;
  scratch.write("triton/KEY1/k.ttgir", "code");
  scratch.write("triton/KEY1/k.json", "{}");
  scratch.write("triton/KEY1/__grp__k.json", "{}");
  scratch.write("triton/KEY1/k.cubin", "binary");
  scratch.write("triton/KEY2/launcher.so", "binary");
  scratch.write("triton/tmp.pid_1_x/k.ttgir", "cut");
  scratch.write("ir/OLD/k.ttgir", "stale");
  BOOST_TEST(harvest_ir(scratch.path / "triton", scratch.path / "ir") == 1U);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(scratch.path / "ir"))
    files += entry.is_regular_file() ? 1 : 0;
  BOOST_TEST(files == 2U);
  BOOST_TEST(harvest_ir(scratch.path / "none", scratch.path / "ir") == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
