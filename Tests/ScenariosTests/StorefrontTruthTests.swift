import Events
import Foundation
import Scenarios
import Specifications
import Statistics
import Testing

@Suite("Storefront: ground truth")
struct StorefrontTruthTests {
  @Test(
    "attribution by definition gives exactly the decisions, goals and sums of the truth",
    arguments: [(0, 1), (3, 1), (500, 2), (20_000, 3), (200_000, 20_260_101)] as [(Int, UInt64)])
  func naiveAttribution(events: Int, seed: UInt64) throws {
    let log =
      events == 200_000
      ? try StorefrontLog.large.get() : try StorefrontLog(events: events, seed: seed)
    let naive = NaiveRewards(log)
    #expect(naive.orphans == 0)
    for (place, slot) in log.slots {
      for variant in slot.variants {
        let decisions = naive.total(naive.decisions, place, variant.variant).reduce(0, +)
        let rewards = naive.total(naive.rewards, place, variant.variant).reduce(0, +)
        let values = naive.total(naive.values, place, variant.variant).flatMap { $0 }
        #expect(decisions == variant.decisions, "\(place) \(variant.variant) seed \(seed)")
        #expect(rewards == variant.rewards, "\(place) \(variant.variant) seed \(seed)")
        #expect(ExactSum(values).value == variant.rewardSum, "\(place) \(variant.variant)")
      }
      for context in slot.contexts {
        for variant in context.variants {
          let arm = NaiveRewards.Arm(
            place: place, variant: variant.variant, device: context.value)
          #expect(naive.decisions[arm, default: 0] == variant.decisions)
          #expect(naive.rewards[arm, default: 0] == variant.rewards)
        }
      }
    }
  }

  @Test("the realised mean of every variant lies within 4.5 standard errors of the true one")
  func realisedMeans() throws {
    let log = try StorefrontLog.large.get()
    var checked = 0
    for (place, slot) in log.slots {
      for variant in slot.variants + slot.contexts.flatMap({ $0.variants }) {
        let n = Double(variant.decisions)
        try #require(n > 100, "\(place) \(variant.variant)")
        let error = (variant.rewardVariance / n).squareRoot()
        let distance = (variant.rewardSum / n - variant.rewardMean) / error
        #expect(abs(distance) < 4.5, "\(place) \(variant.variant): \(distance) standard errors")
        checked += 1
      }
    }
    #expect(checked == 17 + 7 * 3)
  }

  @Test("over 40 seeds the distances to the true means have mean 0 and variance 1")
  func distancesOverSeeds() throws {
    var moments: [String: Moments] = [:]
    for seed in 1...40 as ClosedRange<UInt64> {
      var generator = try ScenarioCatalog.standard.named("storefront").generator(events: 6_000, seed: seed)
      var record = EventRecord()
      while generator.next(into: &record) {}
      for experiment in generator.truth.experiments where experiment.policy != "thompson" {
        for variant in experiment.slots.flatMap({ $0.variants }) {
          let n = Double(variant.decisions)
          let error = (variant.rewardVariance / n).squareRoot()
          let distance = (variant.rewardSum / n - variant.rewardMean) / error
          moments[experiment.experiment, default: Moments()].add(distance)
        }
      }
    }
    #expect(moments.count == 3)
    for (experiment, moment) in moments {
      let n = Double(moment.count)
      let mean = try #require(moment.mean)
      let variance = try #require(moment.variance)
      #expect(abs(mean) < 4 / n.squareRoot(), "\(experiment): mean distance \(mean)")
      #expect(variance > 0.6 && variance < 1.6, "\(experiment): variance \(variance)")
    }
  }

  @Test("the true means match the table, and the mixture over devices")
  func trueMeans() throws {
    let log = try StorefrontLog(events: 0, seed: 1)
    let means = log.slots.map { $0.slot.variants.map { $0.rewardMean } }
    #expect(
      means == [
        [0.05, 0.06, 0.075], [0.05, 0.06, 0.08, 0.1, 0.07], [2.4, 2.88],
        [0.092, 0.103, 0.107, 0.0965], [0.106125, 0.100125, 0.092625],
      ])
    let best = log.slots.map { $0.slot.bestVariant }
    #expect(
      best == ["orange", "bought-together", "discount-10", "new-arrivals", "free-shipping"])
    for (_, slot) in log.slots where !slot.contexts.isEmpty {
      for index in slot.variants.indices {
        let mixture = slot.contexts.map { $0.share * $0.variants[index].rewardMean }
        #expect(abs(mixture.reduce(0, +) - slot.variants[index].rewardMean) < 1e-12)
      }
      #expect(Set(slot.contexts.map { $0.bestVariant }).count == 3)
    }
  }

  @Test("the variance of an order is that of all its amounts")
  func orderVariance() throws {
    let log = try StorefrontLog(events: 0, seed: 1)
    let variants = try #require(log.slots.first { $0.place.experiment == "pricing" }).slot.variants
    for (variant, (chance, range)) in zip(variants, [(0.06, 2_000...6_000), (0.08, 1_800...5_400)]) {
      let amounts = range.map { Double($0) / 100 }
      let meanSquare = amounts.map { $0 * $0 }.reduce(0, +) / Double(amounts.count)
      let mean = chance * amounts.reduce(0, +) / Double(amounts.count)
      #expect(abs(variant.rewardMean - mean) < 1e-9)
      #expect(abs(variant.rewardVariance - (chance * meanSquare - mean * mean)) < 1e-8)
    }
  }

  @Test("the counts of the truth are those of the events")
  func counts() throws {
    let log = try StorefrontLog.large.get()
    let counts = log.truth.counts
    let decisions = { (status: EventStatus?) in
      log.rows.count { $0.kind == .decision && $0.status == status }
    }
    #expect(counts.units == Set(log.rows.map { $0.unit }).count)
    #expect(counts.confirmed == decisions(nil))
    #expect(counts.provisional == decisions(.provisional))
    #expect(counts.repeated == decisions(.repeated))
    #expect(counts.excluded == decisions(.excluded))
    #expect(counts.decisionsConfirmed == log.rows.count { $0.kind == .decisionConfirmed })
    #expect(counts.accepted == log.rows.count { $0.kind == .goal && $0.status == nil })
    #expect(counts.refused == log.rows.count { $0.kind == .goal && $0.status == .refused })
    #expect(counts.conversions == log.rows.count { $0.kind == .conversion })
    #expect(counts.dataPoints == log.rows.count { $0.kind == .dataPoint })
    for experiment in log.truth.experiments {
      let goals = log.rows.filter {
        $0.kind == .goal && $0.experiment == experiment.experiment
      }
      #expect(goals.allSatisfy { $0.goal == experiment.goal })
      #expect(experiment.goals == goals.count { $0.status == nil })
      #expect(experiment.refusedGoals == goals.count { $0.status == .refused })
    }
    for conversion in log.truth.conversions {
      let own = log.rows.filter { $0.kind == .conversion && $0.goal == conversion.goal }
      #expect(conversion.conversions == own.count { $0.negative != true })
      #expect(conversion.negative == own.count { $0.negative == true })
      let revenue = own.map { ($0.negative == true ? -1 : 1) * ($0.revenue ?? 0) }
      #expect(conversion.revenueSum == ExactSum(revenue).value)
    }
  }

  @Test("every kind of event occurs, for reports to handle")
  func variety() throws {
    let counts = try StorefrontLog.large.get().truth.counts
    for count in [
      counts.provisional, counts.repeated, counts.excluded, counts.decisionsConfirmed,
      counts.refused, counts.outOfOrder,
    ] {
      #expect(count > 200)
    }
    #expect(counts.decisionsConfirmed < counts.provisional)
    #expect(counts.accepted > 5_000)
  }
}
