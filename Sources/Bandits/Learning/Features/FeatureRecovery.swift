/// The attributes whose values follow from the columns of a feature map: those with a number or a one-hot feature of
/// their own in which no values share a column.
struct FeatureRecovery: Sendable {
  /// Where the value of an attribute is.
  private enum Place: Sendable {
    /// A number with its scale, and the column that tells whether it is present; nil if it always is.
    case number(column: Int, TermFit.Scale, presence: Int?)
    /// The values of consecutive columns.
    case values(first: Int, [String])
  }

  /// The attributes, neither `variant` nor `slot`.
  let sources: [FeatureSource]
  private let places: [Place]

  init(_ map: FeatureMap) {
    var places: [FeatureSource: Place] = [:]
    for (term, fit, first) in map.parts {
      switch term.kind {
      case .number:
        // A number has more than the texts of values.
        places[term.numbers[0].source] = .number(
          column: first, fit.scales[0], presence: fit.hasPresence ? first + 1 : nil)
      case .oneHot where !fit.hasOthers:
        guard places[term.categories[0]] == nil else { continue }
        places[term.categories[0]] = .values(first: first, fit.values.map { $0[0] })
      case .oneHot, .cross, .hash: break
      }
    }
    let sources = map.specification.sources.filter {
      $0 != .variant && $0 != .slot && places[$0] != nil
    }
    self.sources = sources
    self.places = sources.compactMap { places[$0] }
  }

  /// Returns the value of the attribute at an index of ``sources``; nil if absent.
  func value(_ source: Int, in vector: FeatureVector) -> FeatureValue? {
    func number(_ column: Int) -> Double? {
      vector.entries.first { $0.column == column }?.value
    }
    switch places[source] {
    case .number(let column, let scale, let presence):
      if let presence, number(presence) == nil { return nil }
      return .number((number(column) ?? 0) * scale.deviation + scale.mean)
    case .values(let first, let texts):
      let columns = first..<first + texts.count
      return vector.entries.first { columns.contains($0.column) }.map {
        FeatureValue(reading: texts[$0.column - first])
      }
    }
  }

  /// Returns the attributes of the contexts with these features.
  func attributes(of contexts: FeatureContexts) -> ContextAttributes {
    ContextAttributes(sources, count: contexts.count) { source, variant, context in
      var vector = FeatureVector()
      contexts.write(variant, of: context, into: &vector)
      return value(source, in: vector)
    }
  }
}

extension FeatureValue {
  /// Creates the number or flag that has a text; the text itself if there is none.
  init(reading text: String) {
    let number = Double(text).map { FeatureValue.number($0) }
    if text == "true" || text == "false" {
      self = .flag(text == "true")
    } else if let number, number.text == text, !number.isMissing {
      self = number
    } else {
      self = .text(text)
    }
  }
}
