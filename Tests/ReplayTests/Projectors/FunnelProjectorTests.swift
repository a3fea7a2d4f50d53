import EventLog
import Events
import TestSupport
import Testing

@testable import Replay

@Suite("Funnels")
struct FunnelProjectorTests {
  // MARK: Rules

  @Test("a step counts if it follows the previous one, and is timed from it")
  func ordered() throws {
    let events = [
      goal(0, "u", 1, goal: "view"), decision(1, "u", "a"), goal(2, "u", 1, goal: "cart"),
      goal(3, "u", 1, goal: "view"), conversion(7, "u", goal: "cart"),
      conversion(8, "u", goal: "buy", negative: true), conversion(9, "u", goal: "buy", revenue: -1),
      decision(1, "v", "a"),
      goal(2, "v", 1, experiment: "other", goal: "view"),
    ]
    let tally = try #require(try funnel(events, ["view", "cart", "buy"])["a"])
    #expect(tally.units == 2)
    #expect(tally.times == [[2], [4], []])
    #expect(tally.medianTime(1) == 4)
    #expect(tally.medianTime(2) == nil)
  }

  @Test("at the same time the exposure comes first, then steps in the order of the log")
  func ties() throws {
    let events = [
      goal(1, "u", 1, goal: "cart"), decision(1, "u", "a"), goal(1, "u", 1, goal: "view"),
    ]
    #expect(try funnel(events, ["view", "cart"])["a"]?.times == [[0], []])
    #expect(try funnel(events, ["cart", "view"])["a"]?.times == [[0], [0]])
    #expect(try funnel(events, ["view", "cart"], order: .any)["a"]?.times == [[0], [0]])
  }

  @Test("a step may occur twice in a funnel; it then takes two events")
  func twice() throws {
    let events = [decision(1, "u", "a"), goal(3, "u", 1), goal(9, "u", 1), decision(1, "v", "b")]
    #expect(try funnel(events, ["g", "g", "g"])["a"]?.times == [[2], [6], []])
  }

  @Test("in any order a step is reached with all previous ones, at the latest of their times")
  func anyOrder() throws {
    let events = [
      decision(1, "u", "a"), goal(2, "u", 1, goal: "z"), goal(5, "u", 1, goal: "x"),
      goal(4, "u", 1, goal: "y"), decision(1, "v", "a"), goal(2, "v", 1, goal: "y"),
    ]
    #expect(try funnel(events, ["x", "y", "z"], order: .any)["a"]?.times == [[4], [0], [0]])
    #expect(
      try funnel(events, ["y", "x"], order: .any)["a"]?.times.map { $0.sorted() } == [[1, 3], [1]])
  }

  @Test("each on its own a step is reached without the others, and timed from the exposure")
  func each() throws {
    let events = [
      decision(1, "u", "a"), goal(2, "u", 1, goal: "z"), goal(5, "u", 1, goal: "x"),
      goal(7, "u", 1, goal: "z"), decision(1, "v", "a"), goal(4, "v", 1, goal: "y"),
      goal(0, "w", 1, goal: "y"), decision(1, "w", "a"),
    ]
    #expect(try funnel(events, ["x", "y", "z"], order: .each)["a"]?.times == [[4], [3], [1]])
    #expect(
      try funnel(events, ["x", "y", "z"], window: 3, order: .each)["a"]?.times == [[], [3], [1]])
  }

  @Test("steps count up to the end of the window, and units in progress are counted")
  func window() throws {
    let events = [
      decision(0, "u", "a"), goal(5, "u", 1), decision(1, "v", "a"), goal(7, "v", 1),
      decision(3, "w", "a"),
    ]
    let tally = try #require(try funnel(events, ["g"], window: 5)["a"])
    #expect(tally.times == [[5]])
    #expect(tally.unitsInProgress == 1)
  }

  @Test("a step of a goal that the log does not have is reached by no unit")
  func unknownGoal() throws {
    let tally = try funnel([decision(0, "u", "a"), goal(5, "u", 1)], ["nothing", "g"])["a"]
    #expect(tally?.times == [[], []])
  }

  @Test("the median of an even number of times is the mean of the middle two")
  func median() {
    var tally = FunnelTally(steps: 2)
    tally.times[0] = [9, 1, 4, 2]
    tally.times[1] = [.max, .max]
    #expect(tally.medianTime(0) == 3)
    #expect(tally.medianTime(1) == Double(Int64.max))
  }

  // MARK: A naive model

  static func naive(_ events: [Event], _ names: [String], _ projector: FunnelProjector)
    -> [ArmName: FunnelTally]
  {
    let latest = events.map(\.time.microseconds).max() ?? 0
    var result: [ArmName: FunnelTally] = [:]
    for history in NaiveHistories.of(events).values {
      let keepsCrossed = projector.crossing == .first
      for unit in NaiveHistories.assignments(history, keepsCrossed: keepsCrossed) {
        var tally = result[unit.arm] ?? FunnelTally(steps: names.count)
        tally.units += 1
        if let window = projector.window, unit.time + window > latest { tally.unitsInProgress += 1 }
        var after = history.dropFirst(unit.index + 1).filter {
          $0.time <= unit.time + (projector.window ?? 1_000_000_000_000_000)
        }
        var last = unit.time
        for (step, name) in names.enumerated() {
          let isStep = { (event: NaiveEvent) in
            event.conversion == name || event.goal(of: unit.arm.experiment)?.name == name
          }
          guard let index = after.firstIndex(where: isStep) else {
            if projector.order == .each { continue }
            break
          }
          if projector.order == .each { last = unit.time }
          let moment = max(last, after[index].time)
          tally.times[step].append(moment - last)
          last = moment
          if projector.order == .ordered { after = Array(after.dropFirst(index + 1)) }
        }
        result[unit.arm] = tally
      }
    }
    return result
  }

  // MARK: Helpers

  private func funnel(
    _ events: [Event], _ steps: [String], window: Int64? = nil,
    order: FunnelProjector.Order = .ordered
  ) throws -> [String: FunnelTally] {
    let log = try WorldLog(events)
    let projector = FunnelProjector(
      steps: steps.map { log.names.code(of: $0, in: .goals) }, window: window, order: order)
    let tallies = try LogReplay(log.reader).run(UnitSelection(), units: projector)
    return Dictionary(
      uniqueKeysWithValues: log.named(tallies.segments).map { ($0.variant, $1) })
  }
}
