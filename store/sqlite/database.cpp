#include "store/sqlite/database.hpp"

#include <sqlite3.h>

#include <system_error>

namespace assay::store::sqlite {

namespace {

std::string_view view(const void* data, int size) {
  return {static_cast<const char*>(data), static_cast<std::size_t>(size)};
}

} // namespace

void statement::finalizer::operator()(sqlite3_stmt* s) const noexcept {
  sqlite3_finalize(s);
}

void statement::bind(int i, std::int64_t x) {
  sqlite3_bind_int64(handle_.get(), i, x);
}

void statement::bind(int i, double x) {
  sqlite3_bind_double(handle_.get(), i, x);
}

void statement::bind(int i, std::string_view text) {
  sqlite3_bind_text64(handle_.get(), i, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void statement::bind(int i, const std::optional<double>& x) {
  if (x)
    bind(i, *x);
  else
    bind_null(i);
}

void statement::bind(int i, const std::optional<std::string>& x) {
  if (x)
    bind(i, std::string_view{*x});
  else
    bind_null(i);
}

void statement::bind_blob(int i, std::string_view bytes) {
  sqlite3_bind_blob64(handle_.get(), i, bytes.data(), bytes.size(), SQLITE_TRANSIENT);
}

void statement::bind_null(int i) {
  sqlite3_bind_null(handle_.get(), i);
}

statement::outcome statement::step() {
  switch (sqlite3_step(handle_.get())) {
  case SQLITE_ROW: return outcome::row;
  case SQLITE_DONE: return outcome::done;
  default: return outcome::failed;
  }
}

bool statement::run() {
  const bool ok = step() == outcome::done;
  reset();
  return ok;
}

void statement::reset() {
  sqlite3_reset(handle_.get());
}

std::int64_t statement::integer(int column) const {
  return sqlite3_column_int64(handle_.get(), column);
}

double statement::number(int column) const {
  return sqlite3_column_double(handle_.get(), column);
}

bool statement::is_null(int column) const {
  return sqlite3_column_type(handle_.get(), column) == SQLITE_NULL;
}

std::optional<double> statement::optional_number(int column) const {
  return is_null(column) ? std::nullopt : std::optional{number(column)};
}

std::string_view statement::text(int column) const {
  const auto* data = sqlite3_column_text(handle_.get(), column);
  return view(data, sqlite3_column_bytes(handle_.get(), column));
}

std::string_view statement::blob(int column) const {
  const auto* data = sqlite3_column_blob(handle_.get(), column);
  return view(data, sqlite3_column_bytes(handle_.get(), column));
}

void database::closer::operator()(sqlite3* db) const noexcept {
  sqlite3_close_v2(db);
}

expected<database> database::open(const std::filesystem::path& file, mode m) {
  // Readers of a WAL file need write access to its index; query_only keeps them from the data.
  const int flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (m == mode::write ? SQLITE_OPEN_CREATE : 0);
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &raw, flags, nullptr);
  database result{raw, file};
  if (raw == nullptr)
    return problem{file.string(), "out of memory"};
  if (code != SQLITE_OK)
    return result.failure();
  sqlite3_extended_result_codes(raw, 1);
  sqlite3_busy_timeout(raw, 5000);
  if (auto p = result.run(m == mode::read ? "PRAGMA query_only = ON" : "PRAGMA foreign_keys = ON"))
    return *p;
  return result;
}

std::optional<problem> database::run(std::string_view sql) {
  if (sqlite3_exec(handle_.get(), std::string{sql}.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    return failure();
  return std::nullopt;
}

expected<statement> database::prepare(std::string_view sql) const {
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v2(handle_.get(), sql.data(), static_cast<int>(sql.size()), &raw, nullptr) !=
      SQLITE_OK)
    return failure();
  return statement{raw};
}

problem database::failure() const {
  std::string what = sqlite3_errmsg(handle_.get());
  // SQLite's "disk I/O error" does not say that there is no room.
  if (const int kind = sqlite3_errcode(handle_.get()) & 0xff;
      kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN)
    if (const int cause = sqlite3_system_errno(handle_.get()); cause != 0)
      what += ": " + std::generic_category().message(cause);
  return {file_.string(), std::move(what)};
}

std::int64_t database::changes() const {
  return sqlite3_changes64(handle_.get());
}

expected<transaction> transaction::begin(database& db) {
  if (auto p = db.run("BEGIN IMMEDIATE"))
    return *p;
  return transaction{db};
}

transaction::~transaction() {
  // A full disk may have rolled back already; the failure of a second time means nothing.
  if (db_ != nullptr)
    db_->run("ROLLBACK");
}

std::optional<problem> transaction::commit() {
  if (auto p = db_->run("COMMIT"))
    return p; // the destructor rolls back
  db_ = nullptr;
  return std::nullopt;
}

} // namespace assay::store::sqlite
