public import Specifications
public import Statistics

/// `adversarial:path=FILE.csv`: a given reward sequence, with one row per step and one column per variant, whose name
/// is in the header.
///
/// The rows repeat from the first after the last. Nothing is random: each reward is its own mean, and the optimum of a
/// step is the largest reward in its row. Adversarial regret is measured against the best fixed variant,
/// ``RunOutcome/Point/fixedRegret``.
public struct AdversarialEnvironment: Environment {
  /// The rewards: a column for each variant, a row for each step. Required.
  public var table: CSVTable?
  public var specification = Self.info.specification()
  public private(set) var variantNames: [String] = []
  private var path = GivenPath(rows: [])
  private var rewards: ClosedRange<Double>?

  /// Creates the environment without the table that it needs.
  public init() {}

  public static let info = SpecificationInfo(
    "adversarial", "given reward sequences", source: "Lattimore and Szepesvári 2020, chapter 11",
    example: "adversarial:path=rewards.csv")

  public static var parameters: [Field] {
    Field.table(
      \.table, "a CSV file: one column per variant with its name in the header, one row per step")
  }

  public mutating func validate() throws(SpecificationError) {
    guard let table else { return }
    let rows = try table.numbers()
    guard let range = rows.joined().map({ $0 }).range else {
      throw SpecificationError("\(table.name) has no rows of rewards below its heading")
    }
    guard range.lowerBound >= ParameterRanges.finite.lowerBound,
      range.upperBound <= ParameterRanges.finite.upperBound
    else {
      throw SpecificationError("\(table.name) has rewards beyond 1e100; scale them down")
    }
    variantNames = table.heading
    rewards = range
    path = GivenPath(rows: rows)
  }

  public func problem(horizon: Int) -> Problem {
    Problem(variants: variantNames.count, horizon: horizon, rewards: rewards)
  }

  public func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    .changing(MovingRun(path, variants: variantNames.count, .exact, RewardStream(key)))
  }
}

/// Rows that repeat cyclically.
private struct GivenPath: MeanPath {
  /// The rewards of each step, at least one row.
  let rows: [[Double]]

  func move(_ means: inout [Double], to step: Int) { means = rows[step % rows.count] }
}
