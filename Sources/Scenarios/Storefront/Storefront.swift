package import Specifications

/// A simulated online shop with four experiments, from 2026-01-01T00:00:00Z on, and A/B tests beside them.
///
/// Visitors arrive and return, some often and most rarely; new ones produce data points, and every visit is exposed to
/// an experiment or leads to a conversion. There are about N/12 units among N events, at least 20, and only the most
/// recent 65,536 return.
///
/// | experiment | choices | logger | goal | reward |
/// |---|---|---|---|---|
/// | `checkout-button` | 3 | uniform | `purchase` | Bernoulli, value 1 |
/// | `recommendations` | 5 | Thompson sampling | `click` | Bernoulli, no value |
/// | `pricing` | 2 | weights 0.8, 0.2, once per unit | `order` | Bernoulli times a price |
/// | `homepage` | 4 × 3 in two slots | uniform | `add-to-cart` | Bernoulli by device |
///
/// With ``tests``, a share of the events belongs to four A/B tests. They have visitors of their own, `v-1`, `v-2` and
/// so on, each of whom gets one variant of one test, once, with probability 0.5; the events of the four experiments
/// are those of a log that is shorter by that share.
///
/// | test | what is true | what a report has to find |
/// |---|---|---|
/// | `free-shipping` | purchases 10 % and 15 % | the variant wins, and money is not lost |
/// | `search-box` | searches 50 % and 50 % | no difference |
/// | `redesign` | purchases 10 % and 10 %; of the variant's other visitors, 20 % are lost | sample ratio mismatch |
/// | `one-click` | purchases 12 % and 18 %, for less money, with 5 % and 25 % refunds | a guardrail is worse |
///
/// To exercise reports, goals arrive minutes to hours after their decision, and 6 % of them are collected up to six
/// hours later still; there are repeated, excluded, provisional and later confirmed decisions, and refused goals. To
/// keep the true means well defined, a unit decides in an experiment again only after the moment at which the goal of
/// its last decision happens or would have happened, and that moment does not depend on the reward; a provisional
/// decision that is never confirmed is never rewarded, nor followed by another provisional one; all goals are in the
/// log, because the last few events are data points or late events only. Sample means are therefore unbiased for every
/// logger except Thompson sampling, which chooses a variant less often after bad luck: its mean over finitely many
/// decisions is slightly low on average. A log ends at a fixed number of events, including goals, so many rewards
/// leave room for fewer decisions; that shifts a mean by a fraction of the order of 1/N.
///
/// All draws are integers and uniform numbers, and computations use only + − × ÷ and square roots, so the bytes of a
/// log are the same on every platform.
package struct Storefront: Scenario {
  /// The duration of the log in days, from 1 to 3650.
  package var days = 30
  /// The share of the events that belong to A/B tests, in percent, from 0 to 100.
  package var tests = 0
  package var specification = Self.info.specification()

  /// Creates a shop observed for 30 days.
  package init() {}

  package static let info = SpecificationInfo(
    "storefront",
    "an online shop: four experiments (uniform, weighted and Thompson loggers; one contextual), late goals, "
      + "conversions and data points; with tests, also A/B tests whose outcome is known",
    source: "simulated", example: "storefront:tests=60")

  package static var parameters: [Field] {
    Field.integer("days", \.days, in: 1...3650, "about how long the log takes, in days, {range}")
    Field.integer(
      "tests", \.tests, in: 0...100, "the share of the events that belong to A/B tests, in percent, {range}")
  }

  /// Creates a generator of the events of the shop.
  ///
  /// - Throws: ``SpecificationError`` if the number of events is not in 0 ... 10¹².
  package func generator(events: Int, seed: UInt64) throws(SpecificationError) -> any EventGenerator {
    try ScenarioCatalog.requireCount(events)
    let ofTests = events / 100 * tests + events % 100 * tests / 100
    let shop = StorefrontGenerator(scenario: self, events: events - ofTests, seed: seed)
    return tests == 0
      ? shop : StorefrontWithTests(shop, StorefrontTestGenerator(days: days, events: ofTests, seed: seed))
  }
}
