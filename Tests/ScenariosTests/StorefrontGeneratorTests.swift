import Events
import Foundation
import Scenarios
import Specifications
import Testing

@Suite("Storefront: the events")
struct StorefrontGeneratorTests {
  /// FNV-1a over everything that the events say.
  private func fingerprint(events: Int, seed: UInt64) throws -> UInt64 {
    var generator = try ScenarioCatalog.standard.named("storefront").generator(events: events, seed: seed)
    var record = EventRecord()
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    while generator.next(into: &record) {
      for byte in "\(try Event(record))".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    return hash
  }

  @Test("the same seed gives the same events, another seed others", arguments: [50, 3_000])
  func determinism(events: Int) throws {
    let first = try fingerprint(events: events, seed: 11)
    #expect(try fingerprint(events: events, seed: 11) == first)
    #expect(try fingerprint(events: events, seed: 12) != first)
  }

  @Test("the events of a seed never change from one version to the next")
  func golden() throws {
    let log = try StorefrontLog(events: 5_000, seed: 42)
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for row in log.rows {
      let said = "\(row.time) \(row.unit) \(row.variant) \(row.propensity ?? 0) \(row.value ?? 0)"
      for byte in said.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    #expect(hash == 13_108_527_004_970_501_584)
  }

  @Test(
    "the requested number of events is generated, and none after the last",
    arguments: [0, 1, 2, 3, 7, 8, 9, 10, 11, 19, 20, 25, 99, 1_000, 4_321])
  func exactCount(events: Int) throws {
    for seed in 0..<10 as Range<UInt64> {
      var generator = try ScenarioCatalog.standard.named("storefront").generator(events: events, seed: seed)
      var record = EventRecord()
      var count = 0
      while generator.next(into: &record) {
        try record.validate()
        count += 1
      }
      #expect(count == events, "seed \(seed)")
      let again = generator.next(into: &record)
      #expect(!again)
    }
  }

  @Test("a log has about a twelfth as many units as events, and at least 20")
  func units() throws {
    for (events, range) in [(60, 10...20), (240, 18...21), (12_000, 995...1_001)] {
      let units = try StorefrontLog(events: events, seed: 5).truth.counts.units
      #expect(range.contains(units), "\(units) units among \(events) events")
    }
  }

  @Test("a log takes about the requested number of days", arguments: [("", 30), (":days=7", 7)])
  func span(parameters: String, days: Int) throws {
    let log = try StorefrontLog(events: 20_000, seed: 9, name: "storefront" + parameters)
    let times = log.rows.map { $0.time.microseconds }
    #expect(times.min() == 1_767_225_600_000_000)
    let span = Double((times.max() ?? 0) - (times.min() ?? 0)) / 86_400_000_000
    #expect(abs(span - Double(days)) < 1.5, "\(span) days")
  }

  @Test("events are in order of time except for those collected late")
  func order() throws {
    let log = try StorefrontLog.large.get()
    var latest = Timestamp.earliest
    var late = 0
    for row in log.rows {
      if row.time < latest {
        late += 1
        #expect(row.kind == .goal && row.status == nil, "only goals are late")
        let delay = latest.microseconds - row.time.microseconds
        #expect(delay <= 6 * 3_600_000_000 + 1_000_000)
      }
      latest = max(latest, row.time)
    }
    #expect(late == log.truth.counts.outOfOrder)
    #expect(late > 200)
  }

  @Test("every goal is later than its decision and before the unit's next one")
  func goalsFollowDecisions() throws {
    struct Key: Hashable {
      var unit: String
      var experiment: String
    }
    let log = try StorefrontLog.large.get()
    var open: [Key: Int] = [:]
    var goals = 0
    for row in log.rows.sorted(by: { ($0.time, $0.position) < ($1.time, $1.position) }) {
      let key = Key(unit: row.unit, experiment: row.experiment)
      if row.isDrawn { open[key] = 1 }
      if row.kind == .goal, row.status == nil {
        // At most one goal for each decision, and none without one.
        #expect(open[key] == 1)
        open[key] = 0
        goals += 1
      }
    }
    #expect(goals == log.truth.counts.accepted)
  }

  @Test("a provisional decision that is never confirmed is never rewarded")
  func unconfirmed() throws {
    struct Key: Hashable {
      var unit: String
      var experiment: String
    }
    let log = try StorefrontLog.large.get()
    var held: Set<Key> = []
    var confirmed = 0
    for row in log.rows.sorted(by: { ($0.time, $0.position) < ($1.time, $1.position) }) {
      let key = Key(unit: row.unit, experiment: row.experiment)
      if row.isDrawn {
        if row.status == .provisional { held.insert(key) } else { held.remove(key) }
      } else if row.kind == .decisionConfirmed {
        #expect(held.remove(key) != nil)
        confirmed += 1
      } else if row.kind == .goal, row.status == nil {
        #expect(!held.contains(key))
      }
    }
    #expect(confirmed == log.truth.counts.decisionsConfirmed)
    #expect(!held.isEmpty)
  }

  @Test("in a sticky experiment a unit has one decision, and repetitions repeat it")
  func sticky() throws {
    struct Key: Hashable {
      var unit: String
      var place: StorefrontLog.Place
    }
    let log = try StorefrontLog.large.get()
    var last: [Key: StorefrontLog.Row] = [:]
    var repeated = 0
    for row in log.rows where row.kind == .decision {
      let key = Key(unit: row.unit, place: row.place)
      if row.isDrawn {
        if row.experiment == "pricing" { #expect(last[key] == nil) }
        last[key] = row
      } else if row.status == .repeated {
        #expect(last[key]?.variant == row.variant)
        #expect(last[key]?.propensity == row.propensity)
        repeated += 1
      }
    }
    #expect(repeated == log.truth.counts.repeated)
  }

  @Test("the events of two experiments have ids, all different")
  func ids() throws {
    var generator = try ScenarioCatalog.standard.named("storefront").generator(events: 5_000, seed: 3)
    var record = EventRecord()
    var ids: Set<String> = []
    var count = 0
    while generator.next(into: &record) {
      let experiment = record.string(.experiment)
      let hasID = record[.id].isPresent
      #expect(hasID == (experiment == "checkout-button" || experiment == "pricing"))
      guard let id = record.string(.id) else { continue }
      ids.insert(id)
      count += 1
    }
    #expect(count > 500)
    #expect(ids.count == count)
  }

  @Test("the homepage logs the context of the unit and the prices of the offers")
  func contextAndFeatures() throws {
    var generator = try ScenarioCatalog.standard.named("storefront").generator(events: 5_000, seed: 4)
    var record = EventRecord()
    var seen = 0
    while generator.next(into: &record) {
      guard case .decision(let decision) = try Event(record).payload else { continue }
      let isHomepage = decision.experiment == "homepage"
      #expect((decision.context != nil) == isHomepage)
      #expect((decision.features != nil) == (decision.slot == "hero"))
      guard isHomepage, let context = decision.context else { continue }
      seen += 1
      #expect(context.entries.map { $0.name } == ["device", "country", "age", "returning"])
      guard let features = decision.features else { continue }
      #expect(features.entries.map { $0.variant } == decision.choices)
      for entry in features.entries {
        guard case .number(let price) = entry.attributes["price"] else {
          Issue.record("a price is a number")
          continue
        }
        #expect(price >= 13.5 && price <= 49.5)
      }
    }
    #expect(seen > 300)
  }

  @Test("a reused record keeps nothing of its former event")
  func reusedRecord() throws {
    var first = try ScenarioCatalog.standard.named("storefront").generator(events: 2_000, seed: 6)
    var second = try ScenarioCatalog.standard.named("storefront").generator(events: 2_000, seed: 6)
    var reused = EventRecord()
    while first.next(into: &reused) {
      var fresh = EventRecord()
      let more = second.next(into: &fresh)
      #expect(more)
      #expect(try Event(fresh) == Event(reused))
    }
  }
}
