#pragma once

#include "messages/types/time.hpp"

#include <iosfwd>
#include <string>

namespace assay::app {

/// `assay keys issue --name N | list | retire (--name N | --id ID | --key KEY)` with
/// `--data-dir DIR` or `--redis URL`, and `--output table|json`.
struct keys_arguments {
  /// `issue`, `list` or `retire`.
  std::string action;
  /// Of the partner.
  std::string name;
  /// The first 12 hex digits of the digest, as `list` shows it; for `retire`.
  std::string id;
  /// The key itself; for `retire`. Other users of the machine see it in the list of processes:
  /// prefer `id`.
  std::string key;
  std::string data_dir;
  /// Takes the place of `data_dir`.
  std::string redis;
  /// Begins the keys in Redis (`redis.prefix` of the configuration).
  std::string redis_prefix = "assay:";
  /// `table` or `json`.
  std::string output = "table";
};

/// Issues, lists or retires partner keys; a running service notices within a second.
/// JSON: `issue` prints one object {"key","id","name","createdAt"}, the only time that the key is
/// ever shown; `list` and `retire` print an array of {"id","name","createdAt","retiredAt"}.
/// Returns the exit code: 0 done; 1 the store did not answer; 2 an argument is wrong (one line on
/// `err` says which).
int run_keys(const keys_arguments& arguments, time_point now, std::ostream& out, std::ostream& err);

} // namespace assay::app
