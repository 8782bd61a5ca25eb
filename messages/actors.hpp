#pragma once

#include "messages/type_ids.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>

namespace assay {

/// An ALLOCATOR WORKER solves one allocation at a time.
using allocator_worker_actor = caf::typed_actor<
    // Replaces the universe that the worker allocates over.
    caf::reacts_to<atom::publish, allocation_universe_ptr>,
    // Allocates over the universe with this snapshot id, or errc::not_ready when the worker does
    // not have it.
    caf::replies_to<atom::allocate, std::uint64_t, portfolio_request>::with<portfolio_result_ptr>>;

/// The ALLOCATOR POOL hands requests to idle workers, bounds what waits, remembers results.
using allocator_pool_actor = caf::typed_actor<
    // Replaces the universe; remembered results of the one before are dropped.
    caf::reacts_to<atom::publish, allocation_universe_ptr>,
    // Answers the sink with a result, or with errc::not_ready, stale_scores, overloaded,
    // timed_out or internal.
    caf::reacts_to<atom::allocate, portfolio_request, portfolio_sink>,
    // To itself: the request of this ticket has used up its time.
    caf::reacts_to<atom::deadline, std::uint64_t>>;

/// A SCORE READER answers reads from the newest readings that it was given.
using score_reader_actor = caf::typed_actor<
    // Replaces snapshot and books.
    caf::reacts_to<atom::publish, readings_ptr>,
    // Runs the question on the snapshot and answers its sink, or errc::not_ready.
    caf::reacts_to<atom::query, scores_question_ptr>,
    // Answers the sink with snapshot and books themselves, or errc::not_ready.
    caf::reacts_to<atom::read, readings_sink>>;

/// The SCORE CACHE keeps a number of readers alive and gives each the newest readings.
using score_cache_actor = caf::typed_actor<
    // Replaces the readings of every reader.
    caf::reacts_to<atom::publish, readings_ptr>>;

/// The HISTORY READER answers questions for stored rows from the archive.
using history_reader_actor = caf::typed_actor<
    // Answers the sink with a page of rows, or errc::store_unavailable.
    caf::reacts_to<atom::history, history_question_ptr>>;

/// Whoever takes what a feed said: true when it is safely stored and will be served, false when it
/// was refused whole and has to come again.
using batch_taker_actor =
    caf::typed_actor<caf::replies_to<atom::learn, feed_batch_ptr>::with<bool>>;

/// The SCORE KEEPER owns facts, histories and scores; it commits, then publishes.
using score_keeper_actor = caf::typed_actor<
    // Scores if that is due and publishes the first snapshot; true when nothing is left
    // uncommitted. Once, at the start.
    caf::replies_to<atom::start>::with<bool>,
    // Takes what a live feed said: archive, ledger, and soon a new snapshot; false when the archive
    // refused it.
    caf::replies_to<atom::learn, feed_batch_ptr>::with<bool>,
    // Replaces route book and gas regimes; a blocking verdict counts with the next snapshot.
    caf::reacts_to<atom::publish, route_readings_ptr>,
    // To itself: score everything now.
    caf::reacts_to<atom::score>,
    // To itself: build a snapshot; the number says which timer asked, 0 stands for a change.
    caf::reacts_to<atom::rebuild, std::uint64_t>,
    // To itself: thin old observations, once a day.
    caf::reacts_to<atom::thin>,
    // To itself: see whether the wall clock was set.
    caf::reacts_to<atom::tick>>;

/// The ROUTE PROBE READER turns probes and gas samples into verdicts, costs and regimes.
using route_probe_reader_actor = caf::typed_actor<
    // Answers true once the first readings are published, so that nothing that a verdict blocks is
    // shown as routable at the start.
    caf::replies_to<atom::start>::with<bool>,
    // Takes the probes, observed gas and gas samples of a batch.
    caf::reacts_to<atom::learn, feed_batch_ptr>,
    // To itself: time has passed, samples may have left their window.
    caf::reacts_to<atom::tick>>;

/// The KEY KEEPER keeps the partner keys up to date.
using key_keeper_actor = caf::typed_actor<
    // To itself: look for changes.
    caf::reacts_to<atom::tick>>;

/// The LIVE STORE KEEPER keeps the live store up to date.
using live_store_keeper_actor = caf::typed_actor<
    // Takes live figures that are new.
    caf::reacts_to<atom::learn, live_entries_ptr>,
    // To itself: write everything collected so far.
    caf::reacts_to<atom::flush>,
    // To itself: see whether the store still holds what was written.
    caf::reacts_to<atom::tick>>;

/// The CATALOG REFRESHER polls upstreams and hands on what it can believe.
using catalog_refresher_actor = caf::typed_actor<
    // To itself: poll the upstream with this index.
    caf::reacts_to<atom::poll, std::uint64_t>>;

/// The SHARED LIMITER asks Redis about the rate limit buckets that all processes share.
using shared_limiter_actor = caf::typed_actor<
    // Answers the sink of the question with the shared decision, or with nothing in time.
    caf::reacts_to<atom::admit, shared_admission_ptr>,
    // To itself: ask about everything collected so far.
    caf::reacts_to<atom::flush>,
    // To itself: see whether a Redis that was left alone is back.
    caf::reacts_to<atom::tick>>;

} // namespace assay
