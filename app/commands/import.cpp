#include "app/commands/import.hpp"

#include "app/adapter_options.hpp"
#include "app/commands/input_lines.hpp"
#include "app/progress_bar.hpp"
#include "feeds/adapter_registry.hpp"
#include "feeds/own_schema/history_lines.hpp"
#include "store/archive/archive.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <ostream>
#include <span>

namespace assay::app {

namespace {

constexpr std::string_view own_schema_name = "assay";

/// What became of one file, or of all.
struct import_counts {
  std::int64_t added = 0;
  std::int64_t repeated = 0;
  std::int64_t revised = 0;
  std::int64_t faults = 0;

  void add(const store::ingest_result& r) {
    added += r.added;
    repeated += r.repeated;
    revised += r.revised;
  }
  void add(const import_counts& other) {
    added += other.added;
    repeated += other.repeated;
    revised += other.revised;
    faults += other.faults;
  }
  std::string text() const {
    return std::to_string(added) + " new, " + std::to_string(repeated) + " known, " +
           std::to_string(revised) + " revised, " + std::to_string(faults) + " faults";
  }
};

struct input_file {
  std::string name;
  std::int64_t size = 0;
  time_point written_at{};
};

class importer {
public:
  importer(const import_arguments& a, store::archive archive,
           std::shared_ptr<const feeds::adapter> adapter, std::optional<time_point> recorded_at,
           time_point now, std::ostream& out, std::ostream& err)
      : arguments_(a),
        archive_(std::move(archive)),
        adapter_(std::move(adapter)),
        recorded_at_(recorded_at),
        now_(now),
        out_(out),
        err_(err) {}

  int run(const std::vector<input_file>& files) {
    std::int64_t total = 0;
    for (const auto& f : files)
      total += f.size;
    import_counts sum;
    {
      progress_bar bar{err_, "import", arguments_.terminal};
      std::int64_t before = 0;
      for (const auto& f : files) {
        const auto counts = take(f, [&](double share) {
          bar.update(before + static_cast<std::int64_t>(share * static_cast<double>(f.size)),
                     total);
        });
        lines_.push_back(f.name + ": " + counts.text());
        sum.add(counts);
        bar.update(before += f.size, total);
      }
    }
    for (const auto& line : lines_)
      out_ << line << '\n';
    for (const auto& p : problems_)
      err_ << p.text() << '\n';
    out_ << files.size() << " files: " << sum.text() << '\n';
    return sum.faults == 0 ? 0 : 1;
  }

private:
  void report(import_counts& counts, problem p) {
    ++counts.faults;
    problems_.push_back(std::move(p));
  }

  template <class Progress>
  import_counts take(const input_file& f, Progress progress) {
    import_counts counts;
    std::ifstream in{f.name, std::ios::binary};
    if (!in.is_open() || in.bad()) {
      report(counts, {f.name, "cannot be read"});
      return counts;
    }
    input_lines lines{in};
    std::string_view first;
    if (adapter_->name() == own_schema_name && lines.peek(first) &&
        feeds::own_schema::is_history(first)) {
      take_history(f, lines, counts, progress);
      return counts;
    }
    in.clear();
    in.seekg(0);
    const std::string text{std::istreambuf_iterator<char>{in}, {}};
    if (in.bad()) {
      report(counts, {f.name, "cannot be read"});
      return counts;
    }
    auto batch = adapter_->parse({f.name, text, recorded_at_.value_or(f.written_at)});
    if (!batch) {
      report(counts, batch.error());
      return counts;
    }
    for (auto& fault : batch->faults)
      report(counts, std::move(fault));
    report_future(f, drop_future(*batch), counts);
    if (arguments_.facts)
      note(counts, f,
           archive_.put_facts({batch->vaults, batch->protocols, batch->chains, batch->assets,
                               batch->curators, batch->admins}));
    take_observations(f, batch->observations, counts, progress);
    take_each(f, batch->probes, &store::archive::append_probes, counts);
    take_each(f, batch->gas_samples, &store::archive::append_gas_samples, counts);
    take_each(f, batch->gas_observed, &store::archive::append_observed_gas, counts);
    return counts;
  }

  /// A history is taken line by line, so that its size does not matter.
  template <class Progress>
  void take_history(const input_file& f, input_lines& lines, import_counts& counts,
                    Progress progress) {
    feeds::feed_batch batch;
    std::size_t in_future = 0;
    const auto write = [&] {
      in_future += drop_future(batch);
      take_observations(f, batch.observations, counts, [](double) {});
      batch.observations.clear();
      progress(f.size > 0 ? static_cast<double>(lines.taken()) / static_cast<double>(f.size) : 1.0);
    };
    feeds::own_schema::envelope head;
    auto faults = feeds::own_schema::read_history(
        f.name, [&](std::string_view& line) { return lines.next(line); }, head,
        [&](feeds::own_schema::history_line&& line) {
          line.each([&](const observation& x) { batch.observations.push_back(x); });
          if (batch.observations.size() >= batch_size())
            write();
        });
    write();
    for (auto& fault : faults)
      report(counts, std::move(fault));
    if (auto broken = lines.broken())
      report(counts, {f.name, std::move(*broken)});
    report_future(f, in_future, counts);
  }

  std::size_t batch_size() const { return std::max<std::size_t>(arguments_.batch_size, 1); }

  /// A figure from the future would hide the present ones of its day.
  std::size_t drop_future(feeds::feed_batch& batch) const {
    return std::erase_if(batch.observations, [&](const observation& x) { return x.at > now_; });
  }

  void report_future(const input_file& f, std::size_t n, import_counts& counts) {
    if (n > 0)
      report(counts, {f.name, std::to_string(n) + " observations are later than now"});
  }

  void note(import_counts& counts, const input_file& f,
            const expected<store::ingest_result>& done) {
    if (done)
      counts.add(*done);
    else
      report(counts, {f.name, "the archive refused a part: " + done.error().text()});
  }

  template <class Progress>
  void take_observations(const input_file& f, std::span<const observation> all,
                         import_counts& counts, Progress progress) {
    for (std::size_t i = 0; i < all.size(); i += batch_size()) {
      const auto n = std::min(batch_size(), all.size() - i);
      note(counts, f, archive_.append_observations(all.subspan(i, n)));
      progress(static_cast<double>(i + n) / static_cast<double>(all.size()));
    }
  }

  template <class Record>
  void take_each(const input_file& f, const std::vector<Record>& all,
                 expected<std::int64_t> (store::archive::*append)(std::span<const Record>),
                 import_counts& counts) {
    if (all.empty())
      return;
    const auto added = (archive_.*append)(all);
    if (!added)
      return report(counts, {f.name, "the archive refused a part: " + added.error().text()});
    counts.added += *added;
    counts.repeated += static_cast<std::int64_t>(all.size()) - *added;
  }

  const import_arguments& arguments_;
  store::archive archive_;
  std::shared_ptr<const feeds::adapter> adapter_;
  std::optional<time_point> recorded_at_;
  time_point now_;
  std::ostream& out_;
  std::ostream& err_;
  // Held back while the bar is drawn.
  std::vector<std::string> lines_;
  std::vector<problem> problems_;
};

int fail(const problem& p, std::ostream& err) {
  err << p.text() << '\n';
  return 2;
}

std::string adapter_list() {
  std::string list;
  for (const auto name : feeds::adapter_names())
    list += (list.empty() ? "" : ", ") + std::string{name};
  return list;
}

expected<std::vector<input_file>> find_files(const std::vector<std::string>& names) {
  std::vector<input_file> files;
  for (const auto& name : names) {
    struct stat s {};
    if (stat(name.c_str(), &s) != 0 || !S_ISREG(s.st_mode))
      return problem{name, "expected a readable file"};
    files.push_back({name, s.st_size, time_point{std::chrono::seconds{s.st_mtime}}});
  }
  return files;
}

} // namespace

int run_import(const import_arguments& a, time_point now, std::ostream& out, std::ostream& err) {
  if (a.files.empty())
    return fail({"import", "expected at least one file"}, err);
  if (a.data_dir.empty())
    return fail({"--data-dir", "expected the directory of the archive"}, err);
  const auto options = read_adapter_options(a.pool_map, a.chain);
  if (!options)
    return fail(options.error(), err);
  auto adapter = feeds::make_adapter(a.adapter, *options);
  if (adapter == nullptr)
    return fail({"--adapter", "expected one of " + adapter_list() + ", got '" + a.adapter + "'"},
                err);
  std::optional<time_point> recorded_at;
  if (!a.recorded_at.empty()) {
    recorded_at = parse_iso8601(a.recorded_at);
    if (!recorded_at)
      return fail({"--recorded-at",
                   "expected a time like 2026-11-21T08:00:00Z, got '" + a.recorded_at + "'"},
                  err);
  }
  const auto files = find_files(a.files);
  if (!files)
    return fail(files.error(), err);
  auto archive = store::archive::open(a.data_dir);
  if (!archive)
    return fail(archive.error(), err);
  return importer{a, std::move(*archive), std::move(adapter), recorded_at, now, out, err}.run(
      *files);
}

} // namespace assay::app
