internal import Specifications
internal import Statistics
internal import Tables

/// Whether effects differ between the values of a dimension, made of the rows of the report `compare` that are broken
/// down. Single values are not read for it: of many, some differ by chance.
struct SegmentAnswer {
  private struct Key: Hashable {
    let place: ReportPlace
    let names: [NameKey]
  }

  private struct Test {
    let row: NamedCells
    let values: Int
    let pValue: Double
  }

  private let tests: [Test]
  private let level: Double

  init(_ rows: [NamedCells], level: Double) {
    self.level = level
    var keys: [Key] = []
    var groups: [Key: [NamedCells]] = [:]
    for row in rows {
      guard row.text("dimension") != nil, ComparisonAnswer.verdict(row) != .notValid else { continue }
      let names = ["metric", "variant", "dimension"].map { NameKey(row.text($0) ?? "") }
      let key = Key(place: ReportPlace(row), names: names)
      if groups[key] == nil { keys.append(key) }
      groups[key, default: []].append(row)
    }
    tests = keys.compactMap { key in
      let rows = groups[key] ?? []
      let effects = rows.compactMap { row -> (estimate: Double, standardError: Double)? in
        guard let estimate = row.number("difference"), let error = row.number("standard_error"), error > 0
        else { return nil }
        return (estimate, error)
      }
      guard let row = rows.first, let test = EffectHomogeneity.cochran(effects) else { return nil }
      return Test(row: row, values: effects.count, pValue: test.pValue)
    }
  }

  /// One sentence; none without effects in several values.
  var sentences: [String] {
    guard let least = tests.min(by: { $0.pValue < $1.pValue }) else { return [] }
    let of = tests.count == 1 ? "" : ", the least of \(tests.count) tests"
    let dimension = least.row.text("dimension") ?? ""
    let evidence = "(heterogeneity \(AnswerNumber.pValue(least.pValue))\(of))"
    let found = least.pValue < (1 - level) / Double(tests.count)
    guard found else {
      return [
        "No sign that effects differ between values of \(dimension) \(evidence): "
          + "a single value that stands out is likely to do so by chance."
      ]
    }
    return [
      "The effect of \(least.row.text("variant") ?? "") on \(least.row.text("metric") ?? "") in "
        + "\(least.row.placeName) differs between the \(least.values) values of \(dimension) \(evidence)."
    ]
  }
}
