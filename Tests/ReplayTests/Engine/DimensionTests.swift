import EventLog
import Events
import TestSupport
import Testing

@testable import Replay

@Suite("Dimensions")
struct DimensionTests {
  @Test(
    "a dimension's text reads back as the same",
    arguments: [
      "policy", "reason", "day", "context.country", "context.a.b", "data.device", "data.custom.a.b",
    ])
  func texts(text: String) throws {
    #expect(try #require(Dimension(text)).description == text)
  }

  @Test(
    "what is no dimension is none",
    arguments: ["", "context", "context.", "data", "data.", "data..k", "day.x", "variant"])
  func noDimension(text: String) {
    #expect(Dimension(text) == nil)
  }

  @Test(
    "each decision belongs to the value known at its time, by the words of the definition",
    arguments: [
      "policy", "reason", "day", "context.c", "data.custom", "data.custom.k", "data.device.k",
      "data.none",
    ])
  func naive(text: String) throws {
    let dimension = try #require(Dimension(text))
    for seed in 0..<20 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let events = SmallWorld.events(&random, times: 12, step: 20_000_000_000).map { event in
        Self.withContext(event, &random)
      }
      let expected = Self.naive(events, dimension)
      let form = ReplayForm.all[Int(seed) % ReplayForm.all.count]
      let log = try WorldLog(events, perFrame: form.perFrame)
      var selection = UnitSelection()
      selection.dimension = dimension
      let tallies = try form.replay(log).run(selection, units: RewardProjector())
      var found: [String: Int] = [:]
      for (segment, tally) in tallies.segments {
        found["\(log.variant(segment.arm.variant))/\(segment.value.text ?? "-")", default: 0] +=
          tally.decisions
      }
      #expect(found == expected, "\(text), seed \(seed), \(form)")
    }
  }

  /// Some decisions get a context.
  private static func withContext(_ event: Event, _ random: inout SeededGenerator) -> Event {
    guard case .decision(var decision) = event.payload else { return event }
    let values: [AttributeValue?] = [nil, .text("x"), .number(3), .number(2.5), .flag(true)]
    if let value = values[random.index(values.count)] { decision.context = ["c": value] }
    // Provisional decisions would count later, with what is known then.
    decision.status = nil
    var event = event
    event.payload = .decision(decision)
    return event
  }

  private static func naive(_ events: [Event], _ dimension: Dimension) -> [String: Int] {
    let ordered = events.enumerated().sorted {
      ($0.element.time.microseconds, $0.offset) < ($1.element.time.microseconds, $1.offset)
    }.map(\.element)
    var known: [String: String] = [:]
    var counts: [String: Int] = [:]
    for event in ordered {
      let unit = event.unit.rawValue
      switch event.payload {
      case .dataPoint(let point):
        guard case .data(let kind, let key) = dimension, point.kind == kind,
          key == nil || point.key == key
        else { continue }
        known[unit] = point.value.map(text) ?? "-"
      case .decision(let decision):
        let value: String? =
          switch dimension {
          case .policy: decision.policy?.rawValue
          case .reason: decision.reason
          case .day: String(event.time.description.prefix(10))
          case .context(let name): decision.context?[name].map(text)
          case .data: known[unit]
          }
        counts["\(decision.variant.rawValue)/\(value ?? "-")", default: 0] += 1
      default: break
      }
    }
    return counts
  }

  private static func text(_ value: AttributeValue) -> String {
    switch value {
    case .text(let text): text
    case .number(let number): number == 3 ? "3" : "2.5"
    case .flag(let flag): "\(flag)"
    case .integer(let number): "\(number)"
    }
  }
}
