#pragma once

#include "messages/types/expected.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

struct sqlite3;
struct sqlite3_stmt;

namespace assay::store::sqlite {

/// One prepared statement. Indexes of parameters begin at 1, of columns at 0. Bound texts and
/// blobs are copied. A failure is reported by `step`, and again by `database::failure`.
class statement {
public:
  enum class outcome : std::uint8_t { row, done, failed };

  void bind(int i, std::int64_t x);
  void bind(int i, double x);
  void bind(int i, std::string_view text);
  void bind(int i, const std::optional<double>& x);
  void bind(int i, const std::optional<std::string>& x);
  void bind_blob(int i, std::string_view bytes);
  void bind_null(int i);

  outcome step();
  /// Runs a statement that gives no rows and makes it ready for the next binding.
  bool run();
  void reset();

  std::int64_t integer(int column) const;
  double number(int column) const;
  bool is_null(int column) const;
  std::optional<double> optional_number(int column) const;
  /// Valid until the next `step` or `reset`.
  std::string_view text(int column) const;
  std::string_view blob(int column) const;

private:
  friend class database;
  struct finalizer {
    void operator()(sqlite3_stmt* s) const noexcept;
  };
  explicit statement(sqlite3_stmt* s) : handle_(s) {}

  std::unique_ptr<sqlite3_stmt, finalizer> handle_;
};

/// One connection to a SQLite file. Not thread-safe.
class database {
public:
  enum class mode : std::uint8_t {
    /// Created when missing.
    write,
    /// Must exist; writing is refused.
    read,
  };

  static expected<database> open(const std::filesystem::path& file, mode m);

  /// Runs statements without results.
  std::optional<problem> run(std::string_view sql);
  /// Prepares one statement.
  expected<statement> prepare(std::string_view sql) const;

  /// What the last failed call says, at the name of the file.
  problem failure() const;
  /// Rows changed by the last statement.
  std::int64_t changes() const;
  const std::filesystem::path& file() const noexcept { return file_; }

private:
  struct closer {
    void operator()(sqlite3* db) const noexcept;
  };
  database(sqlite3* db, std::filesystem::path file) : handle_(db), file_(std::move(file)) {}

  std::unique_ptr<sqlite3, closer> handle_;
  std::filesystem::path file_;
};

/// A write transaction: everything since `begin` or nothing. Rolls back unless committed.
class transaction {
public:
  /// Takes the write lock at once.
  static expected<transaction> begin(database& db);

  transaction(transaction&& other) noexcept : db_(std::exchange(other.db_, nullptr)) {}
  transaction& operator=(transaction&&) = delete;
  ~transaction();

  /// On a problem nothing of the transaction is in the file.
  std::optional<problem> commit();

private:
  explicit transaction(database& db) : db_(&db) {}

  database* db_;
};

} // namespace assay::store::sqlite
