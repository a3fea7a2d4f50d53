internal import Specifications

/// The findings of the survey of a term.
struct TermFit: Hashable, Sendable {
  /// The standardization of a number: (number − mean)/deviation.
  struct Scale: Hashable, Sendable {
    var mean = 0.0
    var deviation = 1.0

    /// Returns a standardized number, within ±1e100 so that squares are finite.
    @inline(__always)
    func value(_ number: Double) -> Double {
      min(max((number - mean) / deviation, -1e100), 1e100)
    }
  }

  /// The values, or combinations, with columns of their own, in the order of the columns.
  var values: [[String]] = []
  /// The number of other values, which share a column if there are any, and the number of their rows.
  var otherValues = 0
  var otherRows = 0
  /// The scale of each number.
  var scales: [Scale] = []
  /// Whether there is a column for the presence of the number.
  var hasPresence = false

  /// Whether there is a column for all other values.
  var hasOthers: Bool { otherValues > 0 }

  /// Returns the number of columns.
  func columns(_ term: FeatureTerm) -> Int {
    switch term.kind {
    case .number: hasPresence ? 2 : 1
    case .oneHot, .cross: values.count + (hasOthers ? 1 : 0)
    case .hash: term.limit
    }
  }

  /// Returns the name of a column, counted from the first of the term.
  func name(_ column: Int, _ term: FeatureTerm) -> String {
    switch term.kind {
    case .number:
      return column == 0 ? "\(term.numbers[0].source)" : "\(term.numbers[0].source) present"
    case .hash: return "\(term)[\(column)]"
    case .oneHot, .cross:
      var parts = term.numbers.map { "\($0.source)" }
      if column < values.count {
        parts += zip(term.categories, values[column]).map { "\($0)=\($1)" }
      } else {
        parts += term.categories.map { "\($0) other" }
      }
      return parts.joined(separator: " × ")
    }
  }
}

extension TermFit {
  /// Returns the fit as a value, with the fields that the term has.
  func tree(_ term: FeatureTerm) -> JSONTree {
    var fields = [JSONTree.Member("term", .text(term.description))]
    if term.kind == .oneHot || term.kind == .cross {
      fields.append(.init("values", .list(values.map { .texts($0) })))
      fields.append(.init("other_values", .number(Double(otherValues))))
      fields.append(.init("other_rows", .number(Double(otherRows))))
    }
    if term.numbers.contains(where: \.isStandardized) {
      fields.append(.init("means", .numbers(scales.map(\.mean))))
      fields.append(.init("deviations", .numbers(scales.map(\.deviation))))
    }
    if term.kind == .number { fields.append(.init("presence", .flag(hasPresence))) }
    return .object(fields)
  }

  /// Reads a fit.
  init(_ tree: JSONTree, _ term: FeatureTerm) throws(SpecificationError) {
    guard try tree.text("term") == term.description else {
      throw SpecificationError("the columns of the feature \(term) are missing")
    }
    if term.kind == .oneHot || term.kind == .cross {
      for value in try tree.list("values") {
        let texts = try JSONTree.object([.init("value", value)]).texts("value")
        guard texts.count == term.categories.count else {
          throw SpecificationError(
            "a value of the feature \(term) has \(texts.count) parts instead of \(term.categories.count)"
          )
        }
        values.append(texts)
      }
      guard Set(values.map { $0.map(NameKey.init) }).count == values.count,
        values.count <= term.limit
      else {
        throw SpecificationError("the values of the feature \(term) are repeated or too many")
      }
      otherValues = try tree.integer("other_values", in: 0...1 << 53)
      otherRows = try tree.integer("other_rows", in: 0...1 << 53)
    }
    scales = term.numbers.map { _ in Scale() }
    if term.numbers.contains(where: \.isStandardized) {
      let (means, deviations) = (try tree.numbers("means"), try tree.numbers("deviations"))
      guard means.count == scales.count, deviations.count == scales.count,
        deviations.allSatisfy({ $0 > 0 })
      else {
        throw SpecificationError("the feature \(term) needs a mean and a deviation per number")
      }
      scales = zip(means, deviations).map { Scale(mean: $0, deviation: $1) }
    }
    if term.kind == .number { hasPresence = try tree.flag("presence") }
  }
}
