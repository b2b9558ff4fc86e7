#pragma once
// What a vendor is to the rest of the library: a value of type Backend. Nothing above this room
// names a vendor; README.md beside this file shows how to add one.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "process/process.hpp"

namespace zl::backends {

/// The machine as a backend sees it; injected, so that tests replay captured ones.
struct Surroundings {
  std::filesystem::path root = "/";  ///< /proc and /sys are looked up below it
  process::Environment environment;  ///< for visibility variables
  double tool_deadline_s = 10.0;     ///< for one call of a vendor's tool
  std::string sampler;               ///< a sampler forced by name; "" lets the backend choose
  double interval_s = 0;             ///< how often a sampler will be read; 0: once, or unknown
  process::StopToken stop;           ///< ends a vendor's tool that is being waited for
  /// Answers in the place of vendors' tools, by their argv; empty: the tools on PATH are run.
  std::function<process::Outcome(const std::vector<std::string>&)> run_tool;
};
/// The real machine.
Surroundings this_machine();

struct Device {
  std::string backend;
  std::string index;  ///< as the vendor's tool numbers it; `0:1` for a part of a card (MIG)
  std::string uuid, name, pci_bus_id;  ///< "" where not known
  std::string ordinal;                 ///< what its runtime calls it, where that is not `index`
  std::optional<double> memory_mib;
  std::vector<unsigned> cpus;   ///< where a program that uses it belongs; none: anywhere
  std::optional<bool> visible;  ///< nothing where the vendor's rule cannot be decided
};

struct Listing {
  std::vector<Device> devices;        ///< in the vendor tool's order, `visible` filled in
  std::vector<std::size_t> selected;  ///< positions of the visible ones, in the order selected
  std::vector<std::string> warnings;  ///< for stderr: what was odd but did not stop the listing
};

/// The visibility variables' verdict over devices. `selected` keeps the variable's order.
struct Visibility {
  bool restricted = false;            ///< a variable is set
  bool decided = true;                ///< false: the vendor does not say what such a value means,
                                      ///< `selected` is then its plainest reading
  std::vector<std::size_t> selected;  ///< positions in the list of devices
  std::vector<std::string> warnings;  ///< entries that ended or emptied the list, by the rules
};

/// One reading of one device. Absent values are absent, never 0.
struct Sample {
  std::string index;
  std::optional<double> sm_clock_mhz, mem_clock_mhz, temp_c, power_w, util_pct;
  std::optional<std::vector<std::string>> throttle;  ///< empty: known to be none
};

struct SampleSet {
  std::vector<Sample> samples;        ///< in the order of the devices asked for
  std::vector<std::string> warnings;  ///< diagnostics of this tick
};

/// An open connection to a vendor's readings; not shared between threads.
class Sampler {
 public:
  virtual ~Sampler() = default;
  /// Reads all its devices once. Throws Error(environment) when nothing could be read at all.
  virtual SampleSet read() = 0;
  /// What it reads through: "nvml", "nvidia-smi", "proc", …
  virtual std::string name() const = 0;
};

/// What the harness does with a graph capture that raised.
enum class CaptureVerdict {
  refused,   ///< the call cannot be captured: time it directly
  fatal,     ///< the kernel failed on the device: never a latency
  poisoned,  ///< the attempt broke the context: stop, incompatible with capture
};

struct CaptureWording {
  std::string text;  ///< substring of the exception's message
  CaptureVerdict verdict;
};

/// A guard in FlagGems' tests that is lifted for this backend: pinned to file and reason.
struct LiftedGuard {
  std::string file;    ///< benchmark/test_fft.py
  std::string reason;  ///< the exact skip reason
};

/// Everything about a vendor that is a fact and no action.
struct Traits {
  std::string name;
  std::vector<std::string> aliases;
  std::vector<std::string> visibility_variables;  ///< the first is the one a campaign sets
  std::string sampler;                            ///< as --registry prints it
  bool graph_capture = false;
  std::string graph_class;      ///< CUDAGraph, MUSAGraph; "" without capture
  std::string torch_device;     ///< torch's device type: cuda, musa, npu, cpu
  std::string flaggems_vendor;  ///< FlagGems' name; "" where FlagGems has none
  std::string switch_prefix;    ///< FLAGTREE_<VENDOR>_
  std::vector<CaptureWording> capture_wordings;
  std::vector<std::string> never_captured;  ///< keyed by FLAGGEMS_PERF_CURRENT_OP
  std::vector<LiftedGuard> lifted_guards;   ///< what the compatibility plugin lifts
};

struct Backend {
  Traits traits;
  /// Devices of this machine, visibility applied. Throws Error(environment) telling apart: tool not
  /// installed, no driver, driver/library mismatch, no devices, permission.
  Listing (*list)(const Surroundings&);
  /// Applies the vendor's rules for its variables to the devices of this machine.
  Visibility (*visibility)(const process::Environment&, std::span<const Device>);
  /// Opens a sampler for these devices (in this order); for none: for every device the vendor's
  /// tool reports. Throws Error(environment).
  std::unique_ptr<Sampler> (*open_sampler)(const Surroundings&, std::span<const Device>);
  /// Whether this vendor's tool or library answers at all, quickly: for `auto`.
  bool (*answers)(const Surroundings&);
  /// Version of the driver; "" where it cannot be told. Never throws.
  std::string (*driver_version)(const Surroundings&);
  /// How a campaign hides every device but one from a program: variables to set.
  process::Environment (*pin)(const Device&);
};

/// Fills `visible` and `selected` of a listing; for the backends' `list` functions.
void apply_visibility(Visibility visibility, Listing& listing);

}  // namespace zl::backends
