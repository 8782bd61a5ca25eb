#include "engine/scoring/admin_factor.hpp"
#include "tests/engine/scoring/scoring_fixture.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace assay::engine {
namespace {

using test::shipped;

constexpr double hour = 3600;
constexpr double days = 24 * hour;

admin_role safe(int threshold, int owners, std::optional<double> delay = {}) {
  return {"owner", role_kind::safe, threshold, owners, delay, std::nullopt};
}

admin_role held_by(role_kind kind, std::optional<double> delay = {},
                   std::optional<bool> unverified = {}) {
  return {"owner", kind, std::nullopt, std::nullopt, delay, unverified};
}

admin_topology topology(admin_class cls, std::optional<double> timelock,
                        std::vector<admin_role> roles = {}) {
  admin_topology t;
  t.cls = cls;
  t.timelock_seconds = timelock;
  t.roles = std::move(roles);
  return t;
}

double score(const admin_topology& t) {
  const auto r = screened_admin(t, shipped());
  EXPECT_TRUE(r.measured);
  return r.score;
}

TEST(admin_factor, ASingleKeyScoresByItsCuratorAlone) {
  auto t = topology(admin_class::eoa, 30 * days, {safe(5, 8)});
  EXPECT_EQ(score(t), 10);
  t.rating = curator_rating::unknown_new;
  EXPECT_EQ(score(t), 10);
  t.rating = curator_rating::established;
  EXPECT_EQ(score(t), 40);
  EXPECT_EQ(screened_admin(t, shipped()).label, "A single key decides; its curator is established");
}

TEST(admin_factor, EveryClassFloorsAtTen) {
  auto m = shipped();
  m.admin.unknown = 0;
  m.admin.eoa_unknown_new = 0;
  m.admin.cap.fill(0);
  for (std::size_t c = 0; c < enum_size<admin_class>; ++c)
    EXPECT_EQ(screened_admin(topology(static_cast<admin_class>(c), {}), m).score, 10);
}

TEST(admin_factor, ClassesWithoutRolesKeepTheirOrder) {
  EXPECT_EQ(score(topology(admin_class::immutable, {})), 100);
  EXPECT_EQ(score(topology(admin_class::timelock_long_multisig_strong, {})), 92);
  EXPECT_EQ(score(topology(admin_class::timelock_long_multisig_strong, 7 * days)), 92);
  EXPECT_EQ(score(topology(admin_class::timelock_long_multisig_strong, 60 * days)), 97);
  EXPECT_EQ(score(topology(admin_class::timelock_short_multisig_weak, 2 * days)), 58);
  EXPECT_EQ(score(topology(admin_class::multisig_only, {})), 25);
  EXPECT_EQ(score(topology(admin_class::unknown, {})), 20);
}

TEST(admin_factor, AStrongMultisigHasThreeOfAMajority) {
  const auto strong = [](int threshold, int owners) {
    return strength_of(safe(threshold, owners), shipped().admin) == holder_strength::strong;
  };
  EXPECT_TRUE(strong(3, 5));
  EXPECT_TRUE(strong(3, 3));
  EXPECT_TRUE(strong(5, 9));
  EXPECT_FALSE(strong(3, 6)); // half is no majority
  EXPECT_FALSE(strong(4, 8));
  EXPECT_FALSE(strong(2, 3)); // a majority of two
  EXPECT_EQ(strength_of(safe(1, 5), shipped().admin), holder_strength::single_key);
  auto unsaid = safe(3, 5);
  unsaid.owners.reset();
  EXPECT_EQ(strength_of(unsaid, shipped().admin), holder_strength::weak);
  unsaid.threshold.reset();
  EXPECT_EQ(strength_of(unsaid, shipped().admin), holder_strength::weak);
}

TEST(admin_factor, ScoresRolesByHolderAndDelay) {
  const auto at = [](admin_role role, double timelock) {
    return score(topology(admin_class::timelock_short_multisig_weak, timelock, {std::move(role)}));
  };
  EXPECT_EQ(at(safe(3, 5), 0), 45);
  EXPECT_EQ(at(safe(3, 5), 24 * hour), 62);
  EXPECT_EQ(at(safe(3, 5), 36 * hour), 70);
  EXPECT_EQ(at(safe(3, 5), 48 * hour), 78);
  EXPECT_EQ(at(safe(3, 5), 3 * days), 84);
  EXPECT_EQ(at(safe(2, 5), 48 * hour), 58);
  EXPECT_EQ(at(held_by(role_kind::eoa), 3 * days), 28);
  EXPECT_EQ(at(held_by(role_kind::unrecognised), 24 * hour), 32);
  EXPECT_EQ(at(held_by(role_kind::eoa), 0), 10);
}

TEST(admin_factor, GovernanceCountsLikeAMultisig) {
  for (const double timelock : {0.0, 30 * hour, 4 * days, 9 * days}) {
    const auto at = [&](admin_role role) {
      return score(topology(admin_class::timelock_long_multisig_strong, timelock, {role}));
    };
    EXPECT_EQ(at(held_by(role_kind::dao)), at(safe(3, 5)));
    EXPECT_EQ(at(held_by(role_kind::dao, {}, false)), at(safe(3, 5)));
    EXPECT_EQ(at(held_by(role_kind::dao, {}, true)), at(safe(2, 5)));
  }
}

TEST(admin_factor, ARolesDelayAddsToTheVaultsTimelock) {
  const auto cls = admin_class::timelock_long_multisig_strong;
  EXPECT_EQ(score(topology(cls, 2 * days, {safe(3, 5, 5 * days)})),
            score(topology(cls, 7 * days, {safe(3, 5)})));
  EXPECT_EQ(score(topology(cls, {}, {safe(3, 5, 7 * days)})), 92);
  EXPECT_EQ(screened_admin(topology(cls, 2 * days, {safe(3, 5, 5 * days)}), shipped()).raw_value,
            7 * days);
}

TEST(admin_factor, TheWeakestRoleDecidesWhateverTheOrder) {
  std::vector<admin_role> roles{safe(5, 8, 10 * days), safe(2, 3, 2 * days),
                                held_by(role_kind::dao, 3 * days), held_by(role_kind::none)};
  std::mt19937 random{1};
  for (int i = 0; i < 10; ++i) {
    std::shuffle(roles.begin(), roles.end(), random);
    const auto r =
        screened_admin(topology(admin_class::timelock_short_multisig_weak, 0, roles), shipped());
    EXPECT_EQ(r.score, 58);
    EXPECT_EQ(r.label, "Class timelock_short_multisig_weak, weakest role owner: a 2-of-3 safe, a "
                       "delay of 2.0 days");
  }
}

TEST(admin_factor, ARoleThatCanOnlyStopDoesNotDecide) {
  auto guardian = held_by(role_kind::eoa);
  guardian.role = "Guardian";
  const auto cls = admin_class::timelock_long_multisig_strong;
  EXPECT_EQ(score(topology(cls, 7 * days, {safe(3, 5), guardian})), 92);
  guardian.role = "curator";
  EXPECT_EQ(score(topology(cls, 7 * days, {safe(3, 5), guardian})), 38);
}

TEST(admin_factor, ARecordThatItsRolesDoNotBearOutIsScoredByItsRoles) {
  const auto claimed = admin_class::timelock_long_multisig_strong;
  const auto weak = screened_admin(topology(claimed, 7 * days, {safe(2, 3)}), shipped());
  EXPECT_EQ(weak.score, 72);
  EXPECT_NE(weak.label.find("(the roles bear out timelock_short_multisig_weak only)"),
            std::string::npos);
  const auto quick = screened_admin(topology(claimed, 6.5 * days, {safe(3, 5)}), shipped());
  EXPECT_LT(quick.score, 92);
  EXPECT_NE(quick.label.find("only)"), std::string::npos);
  const auto mutable_after_all =
      screened_admin(topology(admin_class::immutable, {}, {held_by(role_kind::eoa)}), shipped());
  EXPECT_EQ(mutable_after_all.score, 10);
}

TEST(admin_factor, AClassCapsWhatItsRolesEarn) {
  EXPECT_EQ(score(topology(admin_class::unknown, 30 * days, {safe(4, 5)})), 50);
  EXPECT_EQ(score(topology(admin_class::multisig_only, 30 * days, {safe(4, 5)})), 84);
  EXPECT_EQ(score(topology(admin_class::timelock_short_multisig_weak, 30 * days, {safe(4, 5)})),
            92);
}

TEST(admin_factor, RenouncedRolesLeaveTheClass) {
  EXPECT_EQ(score(topology(admin_class::immutable, {}, {held_by(role_kind::none)})), 100);
  EXPECT_EQ(score(topology(admin_class::multisig_only, {}, {held_by(role_kind::none)})), 25);
}

TEST(admin_factor, SupportedClassFollowsTheContractsDefinition) {
  const auto of = [](std::optional<double> timelock, admin_role role) {
    return supported_class(topology(admin_class::timelock_long_multisig_strong, timelock, {role}),
                           shipped().admin);
  };
  EXPECT_EQ(of(7 * days, safe(3, 5)), admin_class::timelock_long_multisig_strong);
  EXPECT_EQ(of(7 * days - 1, safe(3, 5)), admin_class::timelock_short_multisig_weak);
  EXPECT_EQ(of(7 * days, safe(3, 6)), admin_class::timelock_short_multisig_weak);
  EXPECT_EQ(of(7 * days, held_by(role_kind::dao)), admin_class::timelock_long_multisig_strong);
  EXPECT_EQ(of(7 * days, held_by(role_kind::dao, {}, true)),
            admin_class::timelock_short_multisig_weak);
  EXPECT_EQ(of({}, safe(3, 5)), admin_class::multisig_only);
  EXPECT_EQ(of(7 * days, held_by(role_kind::eoa)), admin_class::eoa);
  EXPECT_EQ(of(7 * days, held_by(role_kind::unrecognised)), admin_class::unknown);
}

TEST(admin_factor, MoreDelayOrAStrongerHolderNeverScoresLess) {
  std::mt19937 random{9};
  std::uniform_real_distribution<double> delay{0, 40 * days};
  for (int i = 0; i < 3000; ++i) {
    const auto cls = static_cast<admin_class>(random() % enum_size<admin_class>);
    const double timelock = delay(random);
    const double own = delay(random);
    const auto at = [&](const admin_role& role, double lock) {
      return score(topology(cls, lock, {role}));
    };
    EXPECT_LE(at(safe(3, 5, own), timelock), at(safe(3, 5, own + hour), timelock));
    EXPECT_LE(at(safe(2, 5, own), timelock), at(safe(2, 5, own), timelock + hour));
    EXPECT_LE(at(held_by(role_kind::eoa, own), timelock), at(safe(2, 5, own), timelock));
    EXPECT_LE(at(safe(2, 5, own), timelock), at(safe(3, 5, own), timelock));
    // Continuous: an hour moves the score by less than three points.
    EXPECT_LE(at(safe(3, 5, own + hour), timelock) - at(safe(3, 5, own), timelock), 3);
    EXPECT_GE(at(held_by(role_kind::eoa, own), timelock), 10);
  }
}

TEST(admin_factor, UnscreenedVaultsScoreOnProtocolMetadata) {
  protocol_record p;
  p.category = "lending";
  const auto with = [&](factor_reading maturity, factor_reading audits) {
    return unscreened_admin(&p, 1, maturity, audits, shipped());
  };
  EXPECT_DOUBLE_EQ(with(missing(""), missing("")).score, 40);
  EXPECT_DOUBLE_EQ(with(measured(50, 1, ""), missing("")).score, 50);
  EXPECT_DOUBLE_EQ(with(measured(100, 1, ""), measured(100, 1, "")).score, 70);
  EXPECT_EQ(with(measured(1, 1, ""), missing("")).label,
            "Not screened; by protocol metadata: category lending, maturity, audits not known");
  for (const auto& [category, base] : {std::pair{"yield-tokenisation", 35.0},
                                       {"liquid-staking", 40.0},
                                       {"synthetic-dollar", 25.0}}) {
    p.category = category;
    EXPECT_DOUBLE_EQ(with(missing(""), missing("")).score, base);
  }
}

TEST(admin_factor, AChainWithoutAScreenHasItsOwnBase) {
  protocol_record p;
  p.category = "yield-aggregator";
  EXPECT_DOUBLE_EQ(
      unscreened_admin(&p, solana_chain_id, measured(50, 1, ""), missing(""), shipped()).score, 35);
  EXPECT_DOUBLE_EQ(
      unscreened_admin(nullptr, solana_chain_id, missing(""), missing(""), shipped()).score, 25);
}

TEST(admin_factor, OtherVaultsWithoutARecordAreMissing) {
  protocol_record p;
  p.category = "yield-aggregator";
  const auto r = unscreened_admin(&p, 1, measured(100, 1, ""), measured(100, 1, ""), shipped());
  EXPECT_FALSE(r.measured);
  EXPECT_EQ(r.score, 50);
  EXPECT_EQ(r.label, "No admin record");
  EXPECT_FALSE(unscreened_admin(nullptr, 1, missing(""), missing(""), shipped()).measured);
}

} // namespace
} // namespace assay::engine
