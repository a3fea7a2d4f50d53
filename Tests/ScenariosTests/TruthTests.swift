import Events
import Foundation
import Scenarios
import Testing

@Suite("The truth as JSON")
struct TruthTests {
  @Test("it is JSON, deterministic, and matches the truth")
  func parses() throws {
    let log = try StorefrontLog(events: 3_000, seed: UInt64.max, name: "storefront:tests=50")
    let truth = log.truth
    let again = try StorefrontLog(events: 3_000, seed: UInt64.max, name: "storefront:tests=50")
    #expect(truth.json == again.truth.json)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(truth.json.utf8)) as? [String: Any])
    #expect(object["scenario"] as? String == "storefront")
    #expect(object["events"] as? Int == log.rows.count)
    #expect(object["seed"] as? UInt64 == UInt64.max)
    #expect(object["attribution"] as? String == "last")
    let counts = try #require(object["counts"] as? [String: Int])
    #expect(counts["confirmed"] == truth.counts.confirmed)
    #expect(counts["goals_accepted"] == truth.counts.accepted)
    let experiments = try #require(object["experiments"] as? [[String: Any]])
    #expect(
      experiments.map { $0["experiment"] as? String } == truth.experiments.map { $0.experiment })
    for (member, experiment) in zip(experiments, truth.experiments) {
      #expect(member["goals"] as? Int == experiment.goals)
      #expect(member["about"] as? String == experiment.about)
      let effects = member["effects"] as? [[String: Any]] ?? []
      #expect(effects.map { $0["lift"] as? Double } == experiment.effects.map(\.lift))
      #expect(effects.map { $0["metric"] as? String } == experiment.effects.map(\.metric))
      #expect(member["propensity_min"] as? Double == experiment.smallestPropensity)
      let slots = try #require(member["slots"] as? [[String: Any]])
      #expect(slots.count == experiment.slots.count)
      for (member, slot) in zip(slots, experiment.slots) {
        #expect(member["best_variant"] as? String == slot.bestVariant)
        #expect(member["point"] as? String == slot.point)
        try expectSame(member["variants"], slot.variants)
        let contexts = member["contexts"] as? [[String: Any]] ?? []
        #expect(contexts.count == slot.contexts.count)
        for (member, context) in zip(contexts, slot.contexts) {
          #expect(member["value"] as? String == context.value)
          #expect(member["share"] as? Double == context.share)
          try expectSame(member["variants"], context.variants)
        }
      }
    }
  }

  private func expectSame(_ member: Any?, _ variants: [Truth.Variant]) throws {
    let members = try #require(member as? [[String: Any]])
    #expect(members.count == variants.count)
    for (member, variant) in zip(members, variants) {
      #expect(member["variant"] as? String == variant.variant)
      #expect(member["propensity"] as? Double == variant.propensity)
      #expect(member["reward_mean"] as? Double == variant.rewardMean)
      let variance = try #require(member["reward_variance"] as? Double)
      // Foundation reads long decimals to within a few units in the last place.
      #expect(abs(variance - variant.rewardVariance) <= 1e-14 * variant.rewardVariance)
      #expect(member["decisions"] as? Int == variant.decisions)
      #expect(member["rewards"] as? Int == variant.rewards)
      #expect(member["reward_sum"] as? Double == variant.rewardSum)
    }
  }

  @Test("numbers are the shortest decimals that parse back to the same value")
  func decimals() throws {
    let truth = try StorefrontLog(events: 20_000, seed: 8).truth
    let json = truth.json
    for variant in truth.experiments.flatMap({ $0.slots }).flatMap({ $0.variants }) {
      var said = "\(variant.rewardVariance), \"decisions\": \(variant.decisions)"
      said += ", \"rewards\": \(variant.rewards), \"reward_sum\": "
      said += "\(variant.rewardSum)".replacing(/\.0$/, with: "") + "}"
      #expect(json.contains("\"reward_variance\": " + said))
    }
    #expect(json.contains("\"reward_variance\": 0.0564,"))
  }

  @Test("texts with quotes, controls and other scripts survive")
  func escapes() throws {
    var truth = try StorefrontLog(events: 0, seed: 1).truth
    let name = "a\"b\\c\n\u{1}\u{7F}é😀"
    truth.scenario = name
    let object = try JSONSerialization.jsonObject(with: Data(truth.json.utf8)) as? [String: Any]
    #expect(object?["scenario"] as? String == name)
  }

  @Test("numbers that JSON cannot represent are null")
  func notFinite() throws {
    var truth = try StorefrontLog(events: 0, seed: 1).truth
    truth.conversions[0].revenueSum = .nan
    truth.conversions[1].revenueSum = 1e300
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(truth.json.utf8)) as? [String: Any])
    let conversions = try #require(object["conversions"] as? [[String: Any]])
    #expect(conversions[0]["revenue_sum"] is NSNull)
    #expect(conversions[1]["revenue_sum"] as? Double == 1e300)
  }
}
