public import Tables

/// Checks of the program as it is installed against numbers that were published, or that follow from a formula.
public enum SelfTest {
  /// One number.
  public struct Check: Sendable {
    /// What is computed.
    public let name: String
    /// Where the number comes from.
    public let source: String
    /// What it must be.
    public let expected: Double
    /// What it is here.
    public let value: Double
    /// By how much they may differ.
    public let tolerance: Double

    /// Whether it is what it must be.
    public var isPassed: Bool { abs(value - expected) <= tolerance }

    init(
      _ name: String, _ expected: Double, _ value: Double, within tolerance: Double,
      _ source: String
    ) {
      self.name = name
      self.source = source
      self.expected = expected
      self.value = value
      self.tolerance = tolerance
    }
  }

  /// Makes all checks, in about a second.
  ///
  /// - Throws: What making a policy or an environment throws, which would be an error of this program.
  public static func checks() throws -> [Check] {
    try generatorChecks() + divergenceChecks() + indexChecks() + boundChecks() + bestArmChecks()
      + regretChecks()
  }

  /// The checks as a table: a row for each, in their order.
  ///
  /// - Throws: `TableError` never, as long as the columns are what they are.
  public static func table(_ checks: [Check]) throws(TableError) -> Table {
    var table = try Table(
      name: "self_test", title: "Self-test",
      columns: [
        .measure("status", .text, "ok or failed"),
        .key("check", .text, "what is computed"),
        .measure("expected", .decimal, "what it must be"),
        .measure("value", .decimal, "what it is"),
        .measure("tolerance", .decimal, "by how much they may differ"),
        .measure("source", .text, "where the number comes from"),
      ])
    for check in checks {
      try table.append(row: [
        .text(check.isPassed ? "ok" : "failed"), .text(check.name), .decimal(check.expected),
        .decimal(check.value), .decimal(check.tolerance), .text(check.source),
      ])
    }
    let failed = checks.count { !$0.isPassed }
    table.note("checks", .integer(checks.count))
    table.note("failed", .integer(failed))
    return table
  }
}
