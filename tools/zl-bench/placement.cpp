#include "placement.hpp"

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "campaign/partition.hpp"

namespace zl::bench {

namespace {

/// The queues: --device, else the devices that the plan names, else the visible ones.
std::vector<backends::Device> queues_of(const cli::Context& context,
                                        const backends::Listing& listing,
                                        const std::vector<campaign::PlanRow>& plan) {
  std::vector<std::string> wanted;
  if (const auto list = context.value("device")) {
    for (const auto name : split(*list, ',')) wanted.emplace_back(trim(name));
    return backends::pick_devices(listing, wanted);
  }
  std::set<std::string> named;
  for (const auto& row : plan)
    if (!row.device.empty() && named.insert(row.device).second) wanted.push_back(row.device);
  if (!wanted.empty()) return backends::pick_devices(listing, wanted);
  std::vector<backends::Device> visible;
  for (const auto position : listing.selected) visible.push_back(listing.devices.at(position));
  if (visible.empty()) throw environment_error("no visible device");
  return visible;
}

/// What one round of a row takes: the plan's figure, else the screen's; 0 where nobody knows.
double weight_of(const campaign::PlanRow& row) {
  double weight = 0;
  if (row.weight_s > 0) return row.weight_s;
  for (const char* column : {"elapsed_before", "elapsed_after"})
    if (const auto found = row.fields.find(column); found != row.fields.end())
      weight += std::max(0.0, parse_double(found->second).value_or(0));
  return weight;
}

/// Shares of rows, longest first; in turn where no weight is known.
campaign::Partition divided(const std::vector<campaign::PlanRow>& rows,
                            const std::vector<campaign::Card>& cards) {
  std::vector<campaign::Job> jobs;
  jobs.reserve(rows.size());
  for (const auto& row : rows) jobs.push_back({row.op, weight_of(row) * row.rounds});
  const auto known = [](const campaign::Job& job) { return job.weight_s > 0; };
  if (std::none_of(jobs.begin(), jobs.end(), known))
    for (auto& job : jobs) job.weight_s = 1;
  return campaign::partition(jobs, cards, {});
}

/// Operators that no plan placed: longest first onto the queues.
std::vector<campaign::PlanRow> placed(std::vector<campaign::PlanRow> rows,
                                      const std::vector<backends::Device>& queues) {
  std::vector<campaign::Card> cards;
  cards.reserve(queues.size());
  for (const auto& device : queues) cards.push_back({device.index, "", device.name});
  std::vector<campaign::PlanRow> plan;
  for (const auto& share : divided(rows, cards).shares) {
    auto& row = rows[share.job];
    row.device = queues[share.card].index;
    row.weight_s = weight_of(row);
    row.estimate_s = row.weight_s * row.rounds;
    row.start_s = row.weight_s > 0 ? share.start_s : 0;
    plan.push_back(std::move(row));
  }
  return plan;
}

/// This host's rows; those that name no host are everybody's.
std::vector<campaign::PlanRow> of_host(std::vector<campaign::PlanRow> rows,
                                       const std::string& host) {
  std::set<std::string> hosts;
  for (const auto& row : rows) hosts.insert(row.host);
  std::erase_if(rows, [&](const auto& row) { return !row.host.empty() && row.host != host; });
  if (rows.empty())
    throw environment_error(
        "the plan has no row for host " + in_quotes(host) +
        "; its hosts are: " + printable(join({hosts.begin(), hosts.end()}, ", ")));
  return rows;
}

std::vector<campaign::PlanRow> shard_of(std::vector<campaign::PlanRow> rows,
                                        const std::string& text) {
  const auto slash = text.find('/');
  const auto part = parse_unsigned(std::string_view(text).substr(0, slash));
  const auto parts = slash == std::string::npos
                         ? std::nullopt
                         : parse_unsigned(std::string_view(text).substr(slash + 1));
  if (!part || !parts || *part < 1 || *part > *parts || *parts > 100'000)
    throw usage_error("--shard: expected I/N with 1 <= I <= N, got " + in_quotes(text));
  std::vector<campaign::Card> cards(*parts);
  std::vector<campaign::PlanRow> share;
  for (const auto& piece : divided(rows, cards).shares) {
    if (piece.card != *part - 1) continue;
    auto& row = share.emplace_back(rows[piece.job]);
    row.device.clear();
    row.host.clear();
  }
  return share;
}

/// Plan rows name their device as its index from here on.
void settle_devices(std::vector<campaign::PlanRow>& plan, const backends::Listing& listing,
                    const std::vector<backends::Device>& queues) {
  if (plan.front().device.empty()) {
    plan = placed(std::move(plan), queues);
    return;
  }
  for (auto& row : plan) {
    row.device = backends::pick_devices(listing, {row.device}).front().index;
    const auto same = [&](const backends::Device& device) { return device.index == row.device; };
    if (std::none_of(queues.begin(), queues.end(), same))
      throw usage_error("the plan uses device " + row.device + ", which --device leaves out");
  }
}

}  // namespace

Placement place(const cli::Context& context, const backends::Listing& listing,
                std::vector<campaign::PlanRow> rows, const std::string& host, bool resumed) {
  if (const auto shard = context.value("shard"); shard && !resumed)
    rows = shard_of(std::move(rows), *shard);
  else if (!resumed)
    rows = of_host(std::move(rows), host);
  Placement placement;
  placement.queues = queues_of(context, listing, rows);
  // An empty share is a share: an array job may have more tasks than there are operators.
  if (!rows.empty()) settle_devices(rows, listing, placement.queues);
  placement.plan = std::move(rows);
  return placement;
}

}  // namespace zl::bench
