internal import Replay
internal import Tables

/// The sentences of the report `compare`, made of its rows.
struct ComparisonAnswer {
  /// The confidence level of the intervals.
  let level: Double
  /// The rows of the whole log; those of a breakdown only if there are no others.
  let rows: [NamedCells]
  private let hasPlaces: Bool
  private let experiments: [String]
  /// Whether effects differ between the values of a dimension.
  private let segments: [String]

  init(_ table: Table, level: Double) {
    let all = NamedCells.rows(of: table)
    let whole = all.filter { $0.text("dimension") == nil }
    rows = whole.isEmpty ? all : whole
    self.level = level
    segments = SegmentAnswer(table, level: level).sentences
    experiments = Self.unique(rows.map { $0.text("experiment") ?? "" })
    let places = Self.unique(rows.map { "\($0.text("point") ?? "")\n\($0.text("slot") ?? "")" })
    hasPlaces = places.count > 1
  }

  /// At most three sentences: of a single row what it says and whether to read it; of more rows how many say what, of a
  /// breakdown whether effects differ between its values, and the most important ones.
  var sentences: [String] {
    guard let first = rows.first else { return [] }
    guard rows.count > 1 else {
      let isTested = Self.verdict(first)?.isTested ?? false
      return [sentence(first)] + (isTested ? [care(first)].compactMap(\.self) : []) + segments
    }
    var sentences = [counts]
    if let invalid { sentences.append(invalid) }
    let decided = rows.filter { Self.verdict($0)?.isDecided ?? false }
    let strongest = decided.enumerated().sorted { a, b in
      let (p, q) = (a.element.number("p_value") ?? 0, b.element.number("p_value") ?? 0)
      return p == q ? a.offset < b.offset : p < q
    }
    sentences += segments
    sentences += strongest.prefix(max(0, 3 - sentences.count)).map { sentence($0.element) }
    if decided.isEmpty, sentences.count < 3, let nearest { sentences.append(nearest) }
    return sentences
  }

  /// Where nothing is decided, the comparison that is nearest to it; nil if none was tested.
  private var nearest: String? {
    let tested = rows.filter {
      Self.verdict($0) == .noDifference && $0.number("p_value") != nil
    }
    return tested.min { ($0.number("p_value") ?? 1) < ($1.number("p_value") ?? 1) }.map {
      "The least p-value: " + sentence($0)
    }
  }

  private static func unique(_ texts: [String]) -> [String] {
    var seen: Set<[UInt8]> = []
    return texts.filter { seen.insert(Array($0.utf8)).inserted }
  }

  // MARK: All rows

  private var counts: String {
    let words = ComparisonVerdict.allCases.reversed().compactMap { verdict -> String? in
      let count = rows.count { $0.text("verdict") == verdict.rawValue }
      guard count > 0 else { return nil }
      switch verdict {
      case .notValid: return "\(count) \(count == 1 ? "is" : "are") not valid"
      case .notCompared: return "\(count) \(count == 1 ? "was" : "were") not compared"
      case .marginKept: return "\(count) \(count == 1 ? "keeps" : "keep") the margin"
      case .marginOpen: return "\(count) \(count == 1 ? "was" : "were") not shown to keep the margin"
      case .noDifference: return "\(count) \(count == 1 ? "has" : "have") no difference found"
      case .tooEarly, .worse, .better, .lower, .higher:
        return "\(count) \(count == 1 ? "is" : "are") \(verdict.rawValue)"
      }
    }
    let sorted = words.sorted { a, b in a.hasSuffix("valid") && !b.hasSuffix("valid") }
    let of = experiments.count == 1 ? "" : " in \(experiments.count) experiments"
    return "Of \(rows.count) comparisons\(of), \(sorted.joined(separator: ", "))."
  }

  /// The comparisons that are not valid, and why; nil if all are.
  private var invalid: String? {
    let all = rows.filter { $0.text("verdict") == ComparisonVerdict.notValid.rawValue }
    guard let first = all.first else { return nil }
    let names = Self.unique(all.map { place($0, always: true) })
    let rest = names.dropFirst()
    let others = rest.prefix(5).joined(separator: ", ") + (rest.count > 5 ? ", ..." : "")
    return ending(sentence(first).dropLast() + (rest.isEmpty ? "" : "; nor are \(others)"))
  }

  // MARK: One row

  static func verdict(_ row: NamedCells) -> ComparisonVerdict? {
    row.text("verdict").flatMap(ComparisonVerdict.init(rawValue:))
  }

  /// Whether the verdict says that the variant is above its baseline.
  private static func isAbove(_ row: NamedCells) -> Bool {
    let isLessBetter = row.text("direction") == Metric.Direction.lower.rawValue
    switch verdict(row) {
    case .better: return !isLessBetter
    case .worse: return isLessBetter
    default: return verdict(row) == .higher
    }
  }

  private func care(_ row: NamedCells) -> String? {
    guard let warnings = row.text("warnings") else { return "No data-quality check failed." }
    return ending("Caution: \(Self.words(warnings))")
  }

  /// Returns what a row says.
  func sentence(_ row: NamedCells) -> String {
    let (variant, baseline) = (row.text("variant") ?? "", row.text("baseline") ?? "")
    let metric = row.text("metric") ?? ""
    let reason = Self.words(row.text("reason") ?? "")
    let name = place(row, always: false)
    let lead = name.isEmpty ? "" : "\(name): "
    let isAbove = Self.isAbove(row)
    let word = isAbove ? "above" : "below"
    switch Self.verdict(row) {
    case let verdict? where verdict.isDecided && isContrary(row, above: isAbove):
      let ranks = row.number("p_value").map { " (\(AnswerNumber.pValue($0)))" } ?? ""
      return ending(
        "\(lead)\(variant) ranks \(word) \(baseline) on \(metric)\(ranks), and its mean does not: "
          + amount(row, hasPValue: false))
    case .better:
      return ending("\(lead)\(variant) beats \(baseline) on \(metric) by \(amount(row))")
    case .worse:
      let side = isAbove ? ", where less is better" : ""
      return ending(
        "\(lead)\(variant) is worse: \(word) \(baseline) on \(metric) by \(amount(row))\(side)")
    case .higher, .lower:
      return ending("\(lead)\(variant) is \(word) \(baseline) on \(metric) by \(amount(row))")
    case .marginOpen:
      return ending(
        "\(lead)\(variant) was not shown to be within the margin of \(baseline) on \(metric): \(amount(row))")
    case .marginKept:
      return ending(
        "\(lead)\(variant) is not worse than \(baseline) on \(metric) by more than the margin: \(amount(row))"
      )
    case .noDifference:
      let rule = Self.rule(of: row)
      let name = rule == "chance_to_win" ? "the chance to win is " : ""
      let parts = [amount(row)] + (rule == "p_value" ? [] : [name + reason])
      return ending(
        "\(lead)no difference found between \(variant) and \(baseline) on \(metric): "
          + parts.joined(separator: "; "))
    case .tooEarly:
      return ending(
        "\(lead)it is too early to tell \(variant) and \(baseline) apart on \(metric): \(reason)")
    case .notValid: return ending("\(place(row, always: true)) is not valid: \(reason)")
    case .notCompared, nil:
      return ending("\(lead)nothing to compare for \(variant) on \(metric): \(reason)")
    }
  }

  /// Returns the p-value of a row as it is corrected; nil where no correction changes it.
  static func adjusted(_ row: NamedCells) -> Double? {
    row.number("p_value_adjusted").flatMap { $0 == row.number("p_value") ? nil : $0 }
  }

  /// Returns the warnings of a row, each with the name of its rule before a colon.
  static func warnings(of row: NamedCells) -> [String] {
    (row.text("warnings") ?? "").split(separator: "; ").map(String.init)
  }

  /// Returns the name of the first rule of a row's reason.
  static func rule(of row: NamedCells) -> String {
    String((row.text("reason") ?? "").prefix { $0 != ":" })
  }

  /// Returns the check that the first rule of a row's reason is; nil for another rule.
  static func check(of row: NamedCells) -> HealthCheck.Name? { HealthCheck.Name(rawValue: rule(of: row)) }

  /// Whether the means differ in the other direction than the verdict, as they may where ranks are tested.
  private func isContrary(_ row: NamedCells, above: Bool) -> Bool {
    row.number("difference").map { above ? $0 <= 0 : $0 >= 0 } ?? false
  }

  /// Returns the lift, or the difference where there is none, with interval and p-value.
  private func amount(_ row: NamedCells, hasPValue: Bool = true) -> String {
    let adjusted = Self.adjusted(row)
    var notes: [String] = []
    let text: String
    if let lift = row.number("lift") {
      text = AnswerNumber.change(lift)
      notes = interval(
        row.number("lift_ci_low"), row.number("lift_ci_high"), AnswerNumber.change)
    } else if let difference = row.number("difference") {
      text = "a difference of " + AnswerNumber.number(difference)
      notes = interval(row.number("ci_low"), row.number("ci_high"), AnswerNumber.number)
    } else {
      text = "no estimate"
    }
    // The intervals are those of single comparisons.
    if adjusted != nil, !notes.isEmpty { notes[0] = "uncorrected \(notes[0])" }
    if hasPValue, let pValue = row.number("p_value") {
      notes.append(
        AnswerNumber.pValue(pValue)
          + (adjusted.map { ", adjusted \(AnswerNumber.pValue($0))" } ?? ""))
    }
    return notes.isEmpty ? text : "\(text) (\(notes.joined(separator: ", ")))"
  }

  private func interval(_ low: Double?, _ high: Double?, _ text: (Double) -> String) -> [String] {
    AnswerNumber.interval(low, high, text).map { ["\(Percent.text(level)) interval \($0)"] } ?? []
  }

  /// Returns the name of the row's place: empty for the only experiment unless it is always wanted.
  private func place(_ row: NamedCells, always: Bool) -> String {
    let value = row.text("dimension_value").map { " (\($0))" } ?? ""
    let isNamed = always || hasPlaces || experiments.count > 1 || !value.isEmpty
    return isNamed ? (hasPlaces ? row.placeName : row.text("experiment") ?? "") + value : ""
  }

  /// Returns a reason without the name of its first rule.
  static func words(_ reason: String) -> String {
    guard let mark = reason.firstIndex(of: ":") else { return reason }
    return String(reason[reason.index(after: mark)...].drop { $0 == " " })
  }

  private func ending(_ text: some StringProtocol) -> String { text + "." }
}
