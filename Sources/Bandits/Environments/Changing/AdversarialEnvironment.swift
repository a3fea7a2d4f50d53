public import Statistics

/// `adversarial:path=FILE.csv`: rewards that are given beforehand, one row for each step and one column for each
/// variant, whose name stands in the heading.
///
/// After the last row the first one follows again. Nothing is random: a reward is its own mean, and the optimum of a
/// step the largest reward in its row. The regret that theory speaks of here is that to the best single variant,
/// ``RunOutcome/Point/fixedRegret``.
public struct AdversarialEnvironment: TableEnvironment {
  /// What there is to say about it.
  public static let guide = Guide(
    "adversarial", "given rewards, row by row",
    [
      Guide.Parameter(
        "path", nil,
        "a CSV file: a column for each variant with its name in the heading, a row for each step")
    ],
    source: "Lattimore and Szepesvári 2020, chapter 11")

  /// How it is written.
  public let specification: Specification
  /// The names in the heading.
  public let variantNames: [String]
  private let path: GivenPath
  private let rewards: ClosedRange<Double>?

  /// Makes the environment from a table: a column for each variant, a row for each step.
  ///
  /// - Throws: `SpecificationError`: the table has no rows, or something else than rewards.
  public init(_ table: CSVTable) throws(SpecificationError) {
    try self.init(Self.guide.specification(.init(key: "path", value: table.name)), table)
  }

  /// Makes the environment.
  ///
  /// - Throws: `SpecificationError`: there are no rows, or a field is no number.
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

  /// As many variants as columns.
  public func problem(horizon: Int) -> Problem {
    Problem(variants: variantNames.count, horizon: horizon, rewards: rewards)
  }

  /// Begins a run.
  public func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    .changing(MovingRun(path, variants: variantNames.count, .exact, RewardStream(key)))
  }
}

/// Rows again and again.
private struct GivenPath: MeanPath {
  /// At least one.
  let rows: [[Double]]

  func move(_ means: inout [Double], to step: Int) { means = rows[step % rows.count] }
}
