internal import EventLog
public import Specifications

/// How many goals or conversions of each name are credited to decisions, by experiment: what rewards add up.
public struct CreditedGoals: StateFields, Equatable {
  private var table = SegmentTable(0, .names(.goals), .names(.experiments))
  /// The goal that was counted last, since many in a row are alike.
  private var last: (goal: UInt32, experiment: UInt32, place: Int) = (.max, .max, 0)

  /// Creates counts of nothing.
  public init() {}

  /// Counts a goal that is credited to decisions of an experiment.
  @inline(__always)
  mutating func count(_ goal: UInt32, in experiment: UInt32, _ times: Int = 1) {
    if goal != last.goal || experiment != last.experiment {
      last = (goal, experiment, table.place(of: goal, experiment))
    }
    table.tallies[last.place] += times
  }

  /// Counts a goal for another of the decisions that it is credited to, once for each of their experiments in a row;
  /// the latest experiment is that of the decision before, nil for the first one.
  @inline(__always)
  mutating func count(_ goal: UInt32, in experiment: UInt32, after latest: inout UInt32?) {
    guard experiment != latest else { return }
    count(goal, in: experiment)
    latest = experiment
  }

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&table, other.table)
  }

  /// For each experiment the codes of its credited goals, with their numbers.
  public var byExperiment: [UInt32: [UInt32: Int]] {
    var goals: [UInt32: [UInt32: Int]] = [:]
    for (place, count) in table.tallies.enumerated() where count > 0 {
      let (goal, experiment) = table.segment(at: place)
      goals[experiment, default: [:]][goal] = count
    }
    return goals
  }

  public static func == (a: Self, b: Self) -> Bool { a.byExperiment == b.byExperiment }
}
