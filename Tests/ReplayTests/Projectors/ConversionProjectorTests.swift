import Events
import Statistics
import TestSupport
import Testing

@testable import Replay

@Suite("Conversions")
struct ConversionProjectorTests {
  // MARK: The fixture R37

  private static let fixture: [Event] = [
    decision(0, "u1", "A"), decision(50, "u1", "A"), decision(10, "u2", "B"),
    decision(20, "u3", "A"), decision(30, "u3", "B"), decision(40, "u4", "B"),
    decision(100, "u5", "A"), conversion(-5, "u1", revenue: 9), conversion(5, "u1", revenue: 10),
    conversion(90, "u1", revenue: 3), conversion(10, "u2", revenue: 7),
    conversion(75, "u2", revenue: 1), conversion(25, "u3", revenue: 4),
    conversion(200, "u4", revenue: 8), conversion(1, "u6", revenue: 99),
    conversion(160, "u5", revenue: 6),
  ]

  private static let end = Timestamp(microseconds: 150)

  @Test(
    "R37: units, converters, sum and sum of squares by rule, from a log",
    arguments: [
      ("no window", Attribution(), nil, [2, 2, 19, 205], [2, 2, 16, 128]),
      ("window 60", Attribution(window: 60), nil, [2, 2, 16, 136], [2, 1, 7, 49]),
      (
        "window 60, crossed ones at their first", Attribution(window: 60, crossing: .first), nil,
        [3, 3, 20, 152], [2, 1, 7, 49]
      ),
      (
        "window 60, end 150, none in progress",
        Attribution(window: 60, end: end, excludesInProgress: true), nil, [1, 1, 10, 100],
        [2, 1, 7, 49]
      ),
      (
        "window 60, cap 8", Attribution(window: 60), Capping.absolute(8), [2, 2, 14, 100],
        [2, 1, 7, 49]
      ),
      ("no window, end 150", Attribution(end: end), nil, [2, 1, 13, 169], [2, 1, 8, 64]),
      (
        "window 60, delay 5", Attribution(window: 60, delay: 5), nil, [2, 2, 16, 136], [2, 1, 1, 1]
      ),
    ] as [(String, Attribution, Capping?, [Double], [Double])])
  func fixture(
    name: String, attribution: Attribution, capping: Capping?, a: [Double], b: [Double]
  ) throws {
    let tallies = try Tallies(Self.fixture, attribution, capping: capping)
    for (variant, expected) in [("A", a), ("B", b)] {
      let tally = try #require(tallies[variant])
      #expect(
        [
          Double(tally.units), Double(tally.converters), tally.revenue,
          tally.perUnit.totalOfSquares.value,
        ] == expected, "\(name), \(variant)")
      #expect(tally.perUnit.count == tally.units)
    }
  }

  @Test("R37: every conversion is counted under one rule")
  func fixtureLedger() throws {
    let ledger = try Tallies(
      Self.fixture, Attribution(window: 60, end: Self.end, excludesInProgress: true)
    ).ledger
    #expect(ledger.assigned.exposedUnits == 5 && ledger.assigned.exposures == 7)
    #expect(ledger.assigned.countedAssignments == 3)
    #expect(ledger.assigned.droppedAssignments == 1)
    #expect(ledger.assigned.inProgressAssignments == 1)
    // 10 of u1 and 7 of u2 count; -5 comes before; 90, 75 and 200 after the window or the end.
    #expect(ledger[.counted] == 2)
    #expect(ledger[.beforeExposure] == 1)
    #expect(ledger[.outsideWindow] == 3)
    #expect(ledger[.ofUnitLeftOut] == 2)
    #expect(ledger[.ofUnitNeverExposed] == 1)
  }

  // MARK: Rules

  @Test("a conversion counts from the first exposure to the end of 7 days, both included")
  func standardWindow() throws {
    let week: Int64 = 7 * 86_400_000_000
    let tallies = try Tallies(
      [decision(5, "u", "a"), decision(1_000, "u", "a")]
        + [4, 5, week + 5, week + 6].map { conversion($0, "u", revenue: 1) },
      ConversionProjector.standardAttribution)
    #expect(tallies["a"]?.conversions == 2)
    #expect(tallies["a"]?.converters == 1)
    #expect(tallies.ledger[.beforeExposure] == 1)
    #expect(tallies.ledger[.outsideWindow] == 1)
  }

  @Test("a conversion at the time of the first exposure counts, whatever its position in the log")
  func sameTime() throws {
    let tallies = try Tallies([
      conversion(3, "u", revenue: 1), decision(3, "u", "a"), conversion(3, "u", revenue: 2),
    ])
    #expect(tallies["a"]?.revenue == 3)
  }

  @Test("at the same time the position in the log decides which exposure is the first")
  func firstOfEqualTimes() throws {
    let tallies = try Tallies(
      [decision(3, "u", "b"), decision(3, "u", "a"), conversion(4, "u", revenue: 2)],
      Attribution(crossing: .first))
    #expect(tallies["b"]?.revenue == 2)
    #expect(tallies["a"]?.units == 0)
  }

  @Test("every variant has a row for every goal of the log, zeros included")
  func zeroRows() throws {
    let tallies = try Tallies([
      decision(1, "u", "a"), decision(1, "v", "b"), decision(1, "w", "c", experiment: "other"),
      conversion(2, "u", goal: "buy", revenue: 3), conversion(0, "nobody", goal: "visit"),
    ])
    #expect(tallies.rows.count == 6)
    #expect(tallies["b", "visit"]?.units == 1)
    #expect(tallies["b", "visit"]?.converters == 0)
    #expect(tallies["b", "visit"]?.perUnit.mean == 0)
  }

  @Test("a variant seen only by crossed units has a row without units")
  func onlyCrossed() throws {
    let tallies = try Tallies([
      decision(1, "u", "a"), decision(2, "u", "b"), conversion(3, "u", revenue: 1),
    ])
    #expect(tallies["a"]?.units == 0 && tallies["b"]?.units == 0)
    #expect(tallies.ledger.assigned.droppedAssignments == 1)
    #expect(tallies.ledger[.ofUnitLeftOut] == 1)
  }

  @Test("variants of different slots are different things: a unit is assigned to one in each")
  func slots() throws {
    let tallies = try Tallies([
      decision(1, "u", "red", slot: "color"), decision(1, "u", "large", slot: "size"),
      conversion(2, "u", revenue: 5),
    ])
    #expect(tallies["red"]?.revenue == 5 && tallies["large"]?.revenue == 5)
    #expect(tallies.ledger.assigned.droppedAssignments == 0)
    #expect(tallies.ledger.assigned.countedAssignments == 2)
    #expect(tallies.ledger[.counted] == 1)
  }

  @Test("a unit that crossed in one slot is excluded there, and kept in the other")
  func crossedInOneSlot() throws {
    let tallies = try Tallies([
      decision(1, "u", "red", slot: "color"), decision(2, "u", "blue", slot: "color"),
      decision(1, "u", "large", slot: "size"), conversion(3, "u", revenue: 5),
    ])
    #expect(tallies["red"]?.units == 0 && tallies["blue"]?.units == 0)
    #expect(tallies["large"]?.revenue == 5)
    #expect(tallies.ledger.assigned.droppedAssignments == 1)
  }

  @Test("a unit with a variant in two slots counts once for it, from the earliest exposure on")
  func sameVariantTwice() throws {
    let tallies = try Tallies([
      decision(1, "u", "a", slot: "x"), conversion(2, "u", revenue: 5),
      decision(3, "u", "a", slot: "y"), conversion(4, "u", revenue: 1),
    ])
    #expect(tallies["a"]?.units == 1)
    #expect(tallies["a"]?.revenue == 6)
  }

  @Test(
    "negative conversions, marked or below zero, count as conversions and reduce revenue",
    arguments: [(2, true), (-2, true), (-2, nil), (-2, false)] as [(Double, Bool?)])
  func negatives(revenue: Double, negative: Bool?) throws {
    let back = conversion(3, "u", revenue: revenue, negative: negative)
    let tallies = try Tallies([
      decision(1, "u", "a"), conversion(2, "u", revenue: 5), back, conversion(4, "u"),
    ])
    #expect(tallies["a"]?.revenue == 3)
    #expect(tallies["a"]?.conversions == 3)
    #expect(tallies["a"]?.converters == 1)
    #expect(tallies.ledger.negative == 1)
    let none = try Tallies([decision(1, "u", "a"), back])
    #expect(none["a"]?.conversions == 1)
    #expect(none["a"]?.converters == 0)
    #expect(none["a"]?.revenue == -2)
  }

  @Test(
    "a limit applies to each goal of a unit at a place, and the first ones count")
  func limits() throws {
    let events = [
      decision(1, "u", "a"), conversion(2, "u", revenue: 1), conversion(2, "u", revenue: 10),
      conversion(3, "u", revenue: 100), conversion(4, "u", goal: "d", revenue: 7),
    ]
    let once = try Tallies(events, Attribution(counting: .once))
    #expect(once["a", "c"]?.revenue == 1)
    #expect(once["a", "d"]?.revenue == 7)
    #expect(once.ledger[.beyondLimit] == 2)
    let twice = try Tallies(events, Attribution(limit: 2))
    #expect(twice["a", "c"]?.revenue == 11)
  }

  @Test("values outside the bounds do not count")
  func bounds() throws {
    let tallies = try Tallies(
      [decision(1, "u", "a")] + [1, 2, 3, 4].map { conversion($0, "u", revenue: Double($0)) },
      Attribution(minimum: 2, maximum: 3))
    #expect(tallies["a"]?.revenue == 5)
    #expect(tallies.ledger[.outOfBounds] == 2)
  }

  @Test(
    "repeated decisions are exposures, provisional ones from their confirmation on, excluded ones never"
  )
  func statuses() throws {
    let tallies = try Tallies([
      decision(1, "u", "a", status: .provisional), conversion(2, "u", revenue: 10),
      event(3, "u", .decisionConfirmed(DecisionConfirmed(experiment: "e"))),
      conversion(4, "u", revenue: 1), decision(1, "v", "b", status: .excluded),
      decision(1, "w", "c", status: .repeated), decision(1, "x", "d", status: .provisional),
    ])
    #expect(tallies["a"]?.revenue == 1)
    #expect(Set(tallies.rows.keys.map(\.variant)) == ["a", "c"])
    #expect(tallies.ledger.assigned.exposures == 2)
    #expect(tallies.ledger.assigned.unconfirmedDecisions == 1)
    #expect(tallies.ledger.assigned.excludedDecisions == 1)
    #expect(tallies.ledger.assigned.repeatedDecisions == 1)
  }

  @Test("goals count in their own experiment only, as 1 without a value, and not when refused")
  func goals() throws {
    var refused = Goal(experiment: "e", goal: "g", value: 50)
    refused.status = .refused
    let tallies = try Tallies(
      [
        decision(1, "u", "a"), decision(1, "u", "b", experiment: "f"), goal(2, "u", nil),
        goal(3, "u", 4), event(3, "u", .goal(refused)), goal(3, "u", 9, experiment: "none"),
        conversion(3, "u", revenue: 100),
      ], of: .goals)
    #expect(tallies["a", "g"]?.revenue == 5)
    #expect(tallies["b", "g"] == nil)
    #expect(tallies.ledger.refusedGoals == 1)
    #expect(tallies.ledger[.ofUnitNeverExposed] == 1)
  }

  @Test("results are broken down by the value at the first exposure")
  func dimension() throws {
    let tallies = try Tallies(
      [
        decision(1, "u", "a", policy: "uniform"), decision(2, "u", "a", policy: "thompson"),
        decision(2, "v", "a"), conversion(3, "u", revenue: 2), conversion(3, "v", revenue: 1),
      ], by: .policy)
    let revenues = Dictionary(
      uniqueKeysWithValues: tallies.tallies.units.keys.map { segment in
        (
          segment.value,
          tallies.tallies.goals(of: segment.experiment).map {
            tallies.tallies.tally(segment, goal: $0).revenue
          }
        )
      })
    #expect(revenues == [.text("uniform"): [2], .text("thompson"): [0], .unknown: [1]])
  }

  @Test(
    "a percentile cap is computed over the whole experiment, over all units or those with a value")
  func percentile() throws {
    let events =
      (0..<9).map { decision(1, "u\($0)", $0 < 5 ? "a" : "b") }
      + [(1, 10.0), (2, 20), (6, 30), (7, 1_000)].map { conversion(2, "u\($0.0)", revenue: $0.1) }
    // Type 7 at 0.75 of 0 0 0 0 0 10 20 30 1000 is at rank 7: 20; of 10 20 30 1000 at rank 3.25: 272.5.
    let all = try Tallies(events, capping: .percentile(0.75, ignoringZeros: false))
    #expect(all["a"]?.cap == 20 && all["b"]?.cap == 20)
    #expect(all["a"]?.revenue == 30 && all["b"]?.revenue == 40)
    #expect(all["a"]?.cappedUnits == 0 && all["b"]?.cappedUnits == 2)
    let some = try Tallies(events, capping: .percentile(0.75, ignoringZeros: true))
    #expect(some["a"]?.cap == 272.5 && some["b"]?.revenue == 302.5)
  }

  @Test(
    "sums do not depend on the order of the log", arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2]])
  func exactSums(order: [Int]) throws {
    let values = [1e16, 1, -1e16]
    let tallies = try Tallies(
      [decision(1, "u", "a")] + order.map { conversion(2, "u", revenue: values[$0]) })
    #expect(tallies["a"]?.revenue == 1)
    #expect(tallies["a"]?.perUnit.sum == 1)
  }

  // MARK: Helpers

  private struct Tallies {
    struct Name: Hashable {
      var variant: String
      var goal: String
    }

    var tallies: ConversionTallies
    var rows: [Name: ConversionTally] = [:]
    var ledger: ConversionLedger { tallies.ledger }

    init(
      _ events: [Event], _ attribution: Attribution = Attribution(),
      of source: ConversionSource = .conversions, capping: Capping? = nil,
      by dimension: Dimension? = nil
    ) throws {
      let log = try WorldLog(events)
      var selection = UnitSelection()
      selection.dimension = dimension
      tallies = try LogReplay(log.reader, jobs: 1).run(
        selection, units: ConversionProjector(attribution, of: source, capping: capping))
      for segment in tallies.units.keys {
        for goal in tallies.goals(of: segment.experiment) {
          rows[Name(variant: log.variant(segment.variant), goal: log.goal(goal))] =
            tallies.tally(segment, goal: goal)
        }
      }
    }

    subscript(variant: String) -> ConversionTally? { self[variant, "c"] }

    subscript(variant: String, goal: String) -> ConversionTally? {
      rows[Name(variant: variant, goal: goal)]
    }
  }
}
