internal import Specifications
internal import Statistics
internal import Tables

/// The effects of a variant on a metric in the segments of a dimension: what one panel of a plot shows, and what one
/// test of heterogeneity is about.
///
/// Small segments are put together, as their errors are too uncertain for either.
struct SegmentEffects {
  /// The effect in a segment, or in several together.
  struct Effect {
    var name: String
    /// Units of the variant and of the baseline.
    var units: Double
    /// The difference from the baseline.
    var estimate: Double
    var standardError: Double?
    var low: Double?
    var high: Double?
    /// Whether the data can be compared.
    var isValid = true
  }

  /// The number of units below which a segment is small.
  private static let fewUnits = 100.0
  /// The number of segments beyond which the smaller ones count as small.
  private static let mostSegments = 20
  /// Which segments are put together, in words.
  static let rule =
    "segments of fewer than \(Int(fewUnits)) units (variant and baseline), and those beyond the "
    + "\(mostSegments) largest, are put together as \"other\""

  /// The rows of the segments.
  let panel: FigurePanel
  /// The effects in natural order of the segments, that of the small ones last.
  let effects: [Effect]
  /// The segments that are put together.
  let others: [String]
  /// The segments without an effect.
  let unknown: [String]
  /// The effect in all valid segments, weighted by units.
  let overall: Effect?
  /// Cochran's Q over the effects; nil for fewer than two.
  let test: (pValue: Double, count: Int)?
  /// Whether there is no test because too many segments are small.
  let isTooSmall: Bool

  /// Finds the effects of the segments of a comparison.
  init(_ panel: FigurePanel) {
    self.panel = panel
    let all = panel.rows.map { (name: Self.name($0), effect: Self.effect($0)) }
      .sorted { NaturalOrder.precedes($0.name, $1.name) }
    unknown = all.filter { $0.effect == nil }.map(\.name)
    let known = all.compactMap(\.effect)
    let valid = known.filter(\.isValid)
    // Of segments with as many units, the first in natural order.
    let ranked = valid.indices.sorted { (valid[$1].units, $0) < (valid[$0].units, $1) }
    let large = Set(ranked.prefix(Self.mostSegments).filter { valid[$0].units >= Self.fewUnits })
    let small = valid.indices.filter { !large.contains($0) }.map { valid[$0] }
    let isGrouped = small.count > 1
    others = isGrouped ? small.map(\.name) : []
    let names = Set(others)
    let kept = known.filter { !$0.isValid || !names.contains($0.name) }
    effects = kept + (isGrouped ? Self.together(small, as: "other, \(small.count) segments").map { [$0] } ?? [] : [])
    overall = Self.together(valid, as: "all segments")
    test = Self.test(effects)
    isTooSmall = test == nil && Self.test(known) != nil
  }

  /// Returns the effects of each comparison of a table that is broken down, in natural order.
  static func all(of table: Table) -> [SegmentEffects] {
    table.panels(except: [segment], where: isSegment).map(SegmentEffects.init)
  }

  /// Returns the effects of each comparison of a table whose variants have colours.
  static func all(of table: FigureTable) -> [SegmentEffects] {
    table.panels(except: [segment], where: isSegment).map(SegmentEffects.init)
  }

  private static let segment = "dimension_value"

  /// Returns whether a row is about a segment.
  static func isSegment(_ row: FigureRow) -> Bool { !row.text("dimension").isEmpty }

  private static func name(_ row: FigureRow) -> String {
    let name = row.text(segment)
    return name.isEmpty ? "unknown" : name
  }

  private static func effect(_ row: FigureRow) -> Effect? {
    guard let estimate = row.number("difference") else { return nil }
    let verdict = ComparisonAnswer.verdict(row.cells)
    return Effect(
      name: name(row), units: (row.number("units") ?? 0) + (row.number("baseline_units") ?? 0), estimate: estimate,
      standardError: verdict?.isTested == false ? nil : row.number("standard_error"), low: row.number("ci_low"),
      high: row.number("ci_high"),
      isValid: verdict != .notValid)
  }

  private static func test(_ effects: [Effect]) -> (pValue: Double, count: Int)? {
    let tested = effects.compactMap { effect -> (estimate: Double, standardError: Double)? in
      guard effect.isValid, let error = effect.standardError, error > 0 else { return nil }
      return (effect.estimate, error)
    }
    return EffectHomogeneity.cochran(tested).map { ($0.pValue, tested.count) }
  }

  /// Returns the mean effect, weighted by units: weights that followed the errors would prefer segments in which few
  /// units happen to be alike. The distances to the ends of the interval add up as errors do (G. Y. Zou and A. Donner,
  /// "Construction of confidence limits about effect measures", 2008).
  private static func together(_ effects: [Effect], as name: String) -> Effect? {
    let units = effects.reduce(0) { $0 + $1.units }
    guard units > 0 else { return nil }
    let sum = { (value: (Effect) -> Double) in effects.reduce(0) { $0 + $1.units / units * value($1) } }
    let distance = { (end: (Effect) -> Double?) -> Double? in
      guard effects.allSatisfy({ end($0) != nil }) else { return nil }
      return effects.reduce(0) { sum, effect in
        let part = effect.units / units * (end(effect) ?? 0)
        return sum + part * part
      }.squareRoot()
    }
    let estimate = sum(\.estimate)
    return Effect(
      name: name, units: units, estimate: estimate, standardError: distance(\.standardError),
      low: distance { effect in effect.low.map { effect.estimate - $0 } }.map { estimate - $0 },
      high: distance { effect in effect.high.map { $0 - effect.estimate } }.map { estimate + $0 })
  }
}
