internal import Tables

/// Whether effects differ between the values of a dimension, made of the rows of the report `compare` that are broken
/// down. Single values are not read for it: of many, some differ by chance.
struct SegmentAnswer {
  private let comparisons: [SegmentEffects]
  private let level: Double

  init(_ table: Table, level: Double) {
    (comparisons, self.level) = (SegmentEffects.all(of: table), level)
  }

  /// One sentence; none without effects in several values.
  var sentences: [String] {
    let tests = comparisons.compactMap { comparison in
      comparison.test.map { (row: comparison.panel.rows[0], test: $0) }
    }
    guard let least = tests.min(by: { $0.test.pValue < $1.test.pValue }) else { return tooSmall }
    let of = tests.count == 1 ? "" : ", the least of \(tests.count) tests"
    let dimension = least.row.text("dimension")
    let evidence = "(heterogeneity \(AnswerNumber.pValue(least.test.pValue))\(of))"
    let found = least.test.pValue < (1 - level) / Double(tests.count)
    guard found else {
      return [
        "No sign that effects differ between values of \(dimension) \(evidence): "
          + "a single value that stands out is likely to do so by chance."
      ]
    }
    return [
      "The effect of \(least.row.text("variant")) on \(least.row.text("metric")) in "
        + "\(least.row.cells.placeName) differs between the \(least.test.count) values of \(dimension) \(evidence)."
    ]
  }

  private var tooSmall: [String] {
    guard let first = comparisons.first(where: \.isTooSmall)?.panel.rows.first else { return [] }
    return [
      "Whether effects differ between values of \(first.text("dimension")) was not tested: too few have units enough."
    ]
  }
}
