import EventLog
import Events
import TestSupport
import Testing

@testable import Replay

@Suite("Dimensions")
struct DimensionTests {
  @Test(
    "the text of a dimension parses to the same dimension",
    arguments: [
      "policy", "reason", "day", "context.country", "context.a.b", "data.device", "data.custom.a.b",
    ])
  func texts(text: String) throws {
    #expect(try #require(Dimension(text)).description == text)
  }

  @Test(
    "other texts are no dimension",
    arguments: ["", "context", "context.", "data", "data.", "data..k", "day.x", "variant"])
  func noDimension(text: String) {
    #expect(Dimension(text) == nil)
  }

  @Test(
    """
    each decision belongs to the value that it has itself, or to what is known of its unit when it counts, by the words of \
    the definition
    """,
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
    var event = event
    event.payload = .decision(decision)
    return event
  }

  private static func naive(_ events: [Event], _ dimension: Dimension) -> [String: Int] {
    var counts: [String: Int] = [:]
    for history in NaiveHistories.of(events).values {
      var known: String?
      for event in history {
        switch event.payload {
        case .dataPoint(let point):
          guard case .data(let kind, let key) = dimension, point.kind == kind,
            key == nil || point.key == key
          else { continue }
          known = point.value.map(text) ?? "-"
        case .decision(let decision) where event.counts:
          let value: String? =
            switch dimension {
            case .policy: decision.policy?.rawValue
            case .reason: decision.reason
            case .day: String(Timestamp(microseconds: event.made).description.prefix(10))
            case .context(let name): decision.context?[name].map(text)
            case .data: known
            }
          counts["\(decision.variant.rawValue)/\(value ?? "-")", default: 0] += 1
        default: break
        }
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
