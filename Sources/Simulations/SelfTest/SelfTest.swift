package import Tables

/// Checks of the installed program against numbers that were published, or that follow from a formula.
package enum SelfTest {
  /// One number.
  package struct Check: Sendable {
    /// The quantity that is computed.
    package let name: String
    /// The source of the expected number.
    package let source: String
    /// The expected number.
    package let expected: Double
    /// The computed number.
    package let value: Double
    /// The tolerance.
    package let tolerance: Double

    /// Whether the computed number is within the tolerance.
    package var isPassed: Bool { abs(value - expected) <= tolerance }

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

  /// Returns the results of all checks, in about a second.
  ///
  /// - Throws: An error of creating a policy or an environment, which would be a bug of this program.
  package static func checks() throws -> [Check] {
    try generatorChecks() + divergenceChecks() + indexChecks() + boundChecks() + bestArmChecks()
      + regretChecks()
  }

  /// Returns the checks as a table: a row for each, in order.
  ///
  /// - Throws: `TableError` only if the column declarations are invalid.
  package static func table(_ checks: [Check]) throws(TableError) -> Table {
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
