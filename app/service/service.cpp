#include "app/service/service.hpp"

#include "actors/allocator_pool.hpp"
#include "actors/allocator_worker.hpp"
#include "actors/catalog_refresher.hpp"
#include "actors/history_reader.hpp"
#include "actors/key_keeper.hpp"
#include "actors/live_store_keeper.hpp"
#include "actors/route_probe_reader.hpp"
#include "actors/score_cache.hpp"
#include "actors/score_keeper.hpp"
#include "actors/shared_limiter.hpp"
#include "app/metrics_page.hpp"
#include "app/request_stats.hpp"
#include "app/service/actor_backend.hpp"
#include "app/service/admin_server.hpp"
#include "app/service/feed_sources.hpp"
#include "app/service/http_settings.hpp"
#include "app/service/listen_address.hpp"
#include "app/service/metrics_run.hpp"
#include "app/service/quarantine_file.hpp"
#include "app/service/snapshot_factory.hpp"
#include "http/api/api.hpp"
#include "http/api/envelope.hpp"
#include "http/codec/snapshot_fragments.hpp"
#include "http/openapi/document.hpp"
#include "http/pages/methodology_page.hpp"
#include "http/transport/server.hpp"
#include "store/keys/key_registry.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <spdlog/spdlog.h>

#include <random>
#include <utility>
#include <vector>

namespace assay::app {

namespace {

time_point system_now() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

struct caf_config : caf::actor_system_config {
  explicit caf_config(const config& c) {
    add_message_types<caf::id_block::assay>();
    set("scheduler.max-threads", static_cast<std::size_t>(c.actors.threads));
    // An idle thread waits for work on a condition variable; those of the default, work stealing,
    // look for it in sleeps of up to 10 ms, which a lone read waits for.
    set("scheduler.policy", caf::atom("sharing"));
    // CAF would read a file of that name in the working directory.
    config_file_path = "";
  }
};

/// Partner keys are kept where the operator keeps the rest: in Redis, else in the data directory.
expected<std::shared_ptr<store::key_registry>> open_keys(const config& c, const startup& s) {
  auto opened = c.redis.url.empty() ? store::open_key_file(s.data.path())
                                    : store::open_key_redis(c.redis.url, c.redis.prefix);
  if (!opened)
    return opened.error();
  return std::shared_ptr<store::key_registry>{std::move(*opened)};
}

/// One line per request at level debug; failures of ours always, with the id that the client got.
void log_answer(const http::answered_request& x) {
  const auto level = x.status == 500 ? spdlog::level::err : spdlog::level::debug;
  if (!spdlog::should_log(level))
    return;
  const auto took = std::chrono::duration_cast<std::chrono::microseconds>(x.duration).count();
  spdlog::log(level, "request id={} method={} path={} status={} bytes={} us={}", x.id,
              http::to_string(x.message.verb()), x.message.path(), x.status, x.bytes, took);
}

} // namespace

/// Members in the order in which they need each other; torn down in the reverse order.
class service::impl {
public:
  impl(const config& c, startup&& s)
      : config_(c), startup_(std::move(s)), caf_config_(c), system_(caf_config_) {}

  ~impl() { stop_actors(); }

  std::optional<problem> start();
  bool stop(std::chrono::steady_clock::time_point deadline);

  listen_address listen, admin_listen;

private:
  template <class Handle>
  std::optional<problem> wait_for_start(const Handle& actor, const char* name);
  std::optional<problem> start_limits();
  void start_live_store();
  void start_readers();
  void start_keeper();
  std::optional<problem> start_feeds();
  std::optional<problem> start_servers();
  actors::score_keeper_config keeper_config();
  http::page_config page_facts() const;
  void stop_actors();

  config config_;
  startup startup_;
  std::shared_ptr<const assumptions> rules_ =
      std::make_shared<const assumptions>(std::move(startup_.rules));
  std::shared_ptr<actors::status_board> status_ = std::make_shared<actors::status_board>();
  std::shared_ptr<actors::reader_directory> readers_ = std::make_shared<actors::reader_directory>();
  std::shared_ptr<request_stats> requests_ = std::make_shared<request_stats>();
  std::shared_ptr<store::key_book> key_book_ = std::make_shared<store::key_book>();
  std::shared_ptr<http::rate_limit_stage> limits_;
  caf_config caf_config_;
  caf::actor_system system_;
  /// Everything that was spawned, in order; ended in the reverse order.
  std::vector<caf::actor> spawned_;
  score_keeper_actor keeper_;
  live_store_keeper_actor live_;
  score_cache_actor cache_;
  allocator_pool_actor allocator_;
  history_reader_actor history_;
  route_probe_reader_actor routes_;
  std::shared_ptr<http::api> api_;
  std::unique_ptr<http::server> server_;
  std::unique_ptr<http::server> admin_;
  bool actors_stopped_ = false;
};

std::optional<problem> service::impl::start() {
  status_->update([&](actors::service_status& s) {
    s.dataset = startup_.dataset;
    s.scorer_version = rules_->methodology.version;
    s.archive = startup_.data.temporary() ? "temporary" : "persistent";
    auto& feed = s.feeds[startup_.dataset];
    feed.quarantined = feed.held_back = startup_.held_back;
    feed.quarantine_reason = startup_.quarantine_reason;
  });
  if (auto wrong = start_limits())
    return wrong;
  start_live_store();
  start_readers();
  // Listening first, so that the port is known to the pages that rows cite; until the first
  // snapshot requests are answered 503.
  if (auto wrong = start_servers())
    return wrong;
  start_keeper();
  if (auto wrong = wait_for_start(routes_, "route probe reader"))
    return wrong;
  if (auto wrong = wait_for_start(keeper_, "score keeper"))
    return wrong;
  return start_feeds();
}

template <class Handle>
std::optional<problem> service::impl::wait_for_start(const Handle& actor, const char* name) {
  caf::scoped_actor self{system_, true};
  std::optional<problem> wrong;
  self->request(actor, caf::infinite, atom::start_v)
      .receive([](bool) {},
               [&](caf::error& e) {
                 wrong = problem{name, caf::to_string(e)};
               });
  return wrong;
}

std::optional<problem> service::impl::start_limits() {
  auto limits = limit_settings(config_);
  if (!limits)
    return limits.error();
  auto keys = open_keys(config_, startup_);
  if (!keys)
    return keys.error();
  // Known before the first request, so that a good key never counts as anonymous.
  if (const auto wrong = key_book_->refresh(**keys))
    spdlog::error("partner keys not read yet: {}", wrong->text());
  auto keeper = system_.spawn<caf::detached>(actors::key_keeper, *keys, key_book_, status_);
  spawned_.push_back(caf::actor_cast<caf::actor>(keeper));
  if (!config_.redis.url.empty()) {
    auto url = store::parse_redis_url(config_.redis.url);
    if (!url)
      return url.error();
    actors::shared_limiter_config sharing;
    sharing.url = std::move(*url);
    sharing.options.prefix = config_.redis.prefix;
    sharing.options.deadline = std::chrono::milliseconds{config_.redis.command_timeout_ms};
    sharing.status = status_;
    limits->shared_in_use = sharing.in_use;
    auto shared = system_.spawn<caf::detached>(actors::shared_limiter, std::move(sharing));
    spawned_.push_back(caf::actor_cast<caf::actor>(shared));
    limits->ask_shared = [shared](std::shared_ptr<const store::shared_admission> question) {
      caf::anon_send(shared, atom::admit_v, std::move(question));
    };
  }
  limits_ = std::make_shared<http::rate_limit_stage>(std::move(*limits), key_book_);
  return std::nullopt;
}

actors::score_keeper_config service::impl::keeper_config() {
  actors::score_keeper_config result;
  result.clock = system_now;
  result.cadence = std::chrono::seconds{config_.scoring.cadence_s};
  result.refresh_cadence = std::chrono::seconds{config_.catalog.refresh_cadence_s};
  result.observation_horizon = std::chrono::hours{24 * config_.data.observation_horizon_days};
  result.scoring.threads = static_cast<unsigned>(config_.scoring.threads);
  result.scoring.methodology = {rules_, &rules_->methodology};
  result.archive = startup_.archive;
  // A temporary archive does not hold the histories that the service started with.
  result.scoring.inputs_in_archive = !startup_.data.temporary();
  result.status = status_;
  auto public_url = config_.server.public_url;
  if (public_url.empty()) {
    public_url = "http://" + listen.text();
    if (listen.host == "0.0.0.0" || listen.host == "::")
      spdlog::warn("server.public_url is empty: pages are cited by {}, where no client finds them",
                   public_url);
  }
  auto factory = std::make_shared<snapshot_factory>(
      config_, rules_, std::make_shared<http::snapshot_fragments>(std::move(public_url)));
  result.build_snapshot = [factory](const actors::snapshot_material& m) {
    return factory->build(m);
  };
  result.compute_metrics = [rules = rules_](const actors::snapshot_material& m, day_point day) {
    return run_metrics(m, rules->metrics, day);
  };
  result.publish = [cache = cache_, allocator = allocator_,
                    readers = readers_](const actors::built_snapshot& built) {
    // To the readers without a detour: the address is announced once the keeper has started, and
    // the first request must not overtake the first snapshot. Then to the cache, for readers to
    // come and for one that has just taken a dead one's place and is not in the list yet.
    const auto all = readers->all(); // a stop that clears the directory must not end the list
    for (const auto& reader : *all)
      caf::anon_send(reader, atom::publish_v, built.readings);
    readers->announce(built.readings->snapshot->id());
    caf::anon_send(cache, atom::publish_v, built.readings);
    caf::anon_send(allocator, atom::publish_v, built.allocation);
  };
  result.share_live = [store = live_](live_entries_ptr entries) {
    caf::anon_send(store, atom::learn_v, std::move(entries));
  };
  return result;
}

void service::impl::start_live_store() {
  actors::live_store_keeper_config keeper{startup_.live_store, status_, {}};
  for (const auto& [id, entry] : startup_.book->live())
    keeper.entries.push_back(entry);
  live_ = system_.spawn<caf::detached>(actors::live_store_keeper, std::move(keeper));
  spawned_.push_back(caf::actor_cast<caf::actor>(live_));
}

void service::impl::start_readers() {
  cache_ = system_.spawn(actors::score_cache, readers_,
                         static_cast<std::size_t>(config_.actors.readers));
  actors::allocator_pool_config pool;
  pool.workers = static_cast<std::size_t>(config_.portfolio.workers);
  pool.backlog_max = static_cast<std::size_t>(config_.portfolio.backlog_max);
  pool.deadline = std::chrono::milliseconds{config_.portfolio.deadline_ms};
  pool.results_kept_max = static_cast<std::size_t>(config_.portfolio.results_kept_max);
  pool.scores_age_max = std::chrono::seconds{config_.portfolio.scores_age_max_s};
  pool.clock = system_now;
  pool.spawn_worker = [](allocator_pool_actor::pointer self) {
    return self->spawn<caf::detached>(actors::allocator_worker, system_now);
  };
  allocator_ = system_.spawn(actors::allocator_pool, std::move(pool));
  history_ = system_.spawn<caf::detached>(actors::history_reader, startup_.data.path());
  for (auto handle : {caf::actor_cast<caf::actor>(cache_), caf::actor_cast<caf::actor>(allocator_),
                      caf::actor_cast<caf::actor>(history_)})
    spawned_.push_back(std::move(handle));
}

void service::impl::start_keeper() {
  keeper_ = system_.spawn<caf::detached>(actors::score_keeper, keeper_config(), startup_.book,
                                         std::move(startup_.rows));
  actors::route_probe_reader_config routes;
  routes.clock = system_now;
  routes.rules = rules_->routes;
  routes.chains = startup_.book->universe()->chains;
  routes.publish = [keeper = keeper_](route_readings_ptr readings) {
    caf::anon_send(keeper, atom::publish_v, std::move(readings));
  };
  routes_ = system_.spawn(actors::route_probe_reader, std::move(routes), startup_.measurements);
  for (auto handle : {caf::actor_cast<caf::actor>(keeper_), caf::actor_cast<caf::actor>(routes_)})
    spawned_.push_back(std::move(handle));
}

std::optional<problem> service::impl::start_feeds() {
  auto upstreams = make_upstreams(config_, startup_);
  if (!upstreams)
    return upstreams.error();
  actors::catalog_refresher_config feeds;
  feeds.upstreams = std::move(*upstreams);
  feeds.clock = system_now;
  feeds.status = status_;
  feeds.retries = static_cast<int>(config_.catalog.retries);
  feeds.jitter_seed = std::random_device{}();
  feeds.plausibility = startup_.plausibility;
  feeds.keeper = keeper_;
  feeds.hand_on = [routes = routes_](const feed_batch_ptr& batch) {
    caf::anon_send(routes, atom::learn_v, batch);
  };
  feeds.remember = [file = quarantine_file{startup_.data.path()}](
                       const feeds::plausibility& judge) mutable { file.write(judge); };
  auto refresher = system_.spawn<caf::detached>(actors::catalog_refresher, std::move(feeds));
  spawned_.push_back(caf::actor_cast<caf::actor>(refresher));
  return std::nullopt;
}

http::page_config service::impl::page_facts() const {
  http::page_config result;
  result.public_url = config_.server.public_url;
  while (result.public_url.ends_with('/'))
    result.public_url.pop_back();
  const auto& m = rules_->methodology;
  result.weights = {m.version, m.pillars.weights};
  result.methodology =
      http::pages::methodology_page({m, rules_->allocation, rules_->routes, rules_->metrics},
                                    result.public_url, http::disclaimer_text);
  return result;
}

std::optional<problem> service::impl::start_servers() {
  http::api_config api;
  api.clock = system_now;
  api.in_flight_max = config_.http.requests_in_flight_max;
  api.body_bytes_max = static_cast<std::size_t>(config_.http.body_bytes_max);
  api.on_answer = [stats = requests_](const http::answered_request& x) {
    stats->count(x);
    log_answer(x);
  };
  api.labels = {rules_->methodology.labels.conservative_min,
                rules_->methodology.labels.balanced_min};
  api.pages = page_facts();
  auto backend = std::make_shared<actor_backend>(
      backend_parts{readers_, allocator_, history_, limits_, status_, system_now});
  api_ = std::make_shared<http::api>(std::move(api), std::move(backend), http::openapi_document());
  auto server = http::server::start(
      transport_settings(config_, listen),
      [handlers = api_](http::request&& r, http::reply&& out) {
        handlers->handle(std::move(r), std::move(out));
      },
      http::api::make_error);
  if (!server)
    return server.error();
  server_ = std::move(*server);
  listen.port = server_->port();

  auto admin = start_admin_server(transport_settings(config_, admin_listen), [this] {
    return render_metrics({&server_->stats(), requests_.get(), &limits_->counts(), status_.get()},
                          system_now());
  });
  if (!admin)
    return admin.error();
  admin_ = std::move(*admin);
  admin_listen.port = admin_->port();
  return std::nullopt;
}

bool service::impl::stop(std::chrono::steady_clock::time_point deadline) {
  status_->update([](actors::service_status& s) { s.ready = false; });
  const bool clean = server_->drain(deadline);
  server_->stop();
  admin_->stop();
  stop_actors();
  return clean;
}

void service::impl::stop_actors() {
  if (std::exchange(actors_stopped_, true))
    return;
  // A handle that outlives the actor system would keep it from ending.
  server_.reset();
  admin_.reset();
  api_.reset();
  limits_.reset();
  for (auto i = spawned_.rbegin(); i != spawned_.rend(); ++i)
    caf::anon_send_exit(*i, caf::exit_reason::user_shutdown);
  spawned_.clear();
  readers_->replace({});
  keeper_ = nullptr;
  live_ = nullptr;
  cache_ = nullptr;
  allocator_ = nullptr;
  history_ = nullptr;
  routes_ = nullptr;
}

service::service(std::unique_ptr<impl> self) noexcept : impl_(std::move(self)) {}
service::~service() = default;

expected<std::unique_ptr<service>> service::start(const config& c, startup s) {
  auto listen = parse_listen_address(c.server.listen, "server.listen");
  if (!listen)
    return listen.error();
  auto admin = parse_listen_address(c.admin.listen, "admin.listen");
  if (!admin)
    return admin.error();
  auto self = std::make_unique<impl>(c, std::move(s));
  self->listen = std::move(*listen);
  self->admin_listen = std::move(*admin);
  if (auto wrong = self->start())
    return std::move(*wrong);
  return std::unique_ptr<service>{new service{std::move(self)}};
}

std::string service::address() const {
  return impl_->listen.text();
}

std::string service::admin_address() const {
  return impl_->admin_listen.text();
}

bool service::stop(std::chrono::steady_clock::time_point deadline) {
  return impl_->stop(deadline);
}

} // namespace assay::app
