public import Specifications
public import Statistics

/// `adversarial:path=FILE.csv`: a given reward sequence, with one row per step and one column per variant, whose name
/// is in the header.
///
/// The rows repeat from the first after the last. Nothing is random: each reward is its own mean, and the optimum of a
/// step is the largest reward in its row. Adversarial regret is measured against the best fixed variant,
/// ``RunOutcome/Point/fixedRegret``.
public struct AdversarialEnvironment: TableEnvironment {
  public static let info = SpecificationInfo(
    "adversarial", "given reward sequences",
    [
      SpecificationInfo.Parameter(
        "path", nil,
        "a CSV file: one column per variant with its name in the header, one row per step")
    ],
    source: "Lattimore and Szepesvári 2020, chapter 11")

  public let specification: Specification
  /// The column names of the header.
  public let variantNames: [String]
  private let path: GivenPath
  private let rewards: ClosedRange<Double>?

  /// Creates the environment from a table with one column per variant and one row per step.
  ///
  /// - Throws: `SpecificationError` if the table has no rows or a field is not a reward.
  public init(_ table: CSVTable) throws(SpecificationError) {
    try self.init(Self.info.specification(.init(key: "path", value: table.name)), table)
  }

  public init(
    _ specification: Specification, _ table: CSVTable
  ) throws(SpecificationError) {
    self.specification = specification
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
