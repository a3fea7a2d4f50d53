/// A term of a feature specification, such as `one-hot(country,50)`.
struct FeatureTerm: Hashable, Sendable {
  /// A number among the factors of a term.
  struct Number: Hashable, Sendable {
    var source: FeatureSource
    var isStandardized: Bool

    var description: String { "\(isStandardized ? "standardized" : "number")(\(source))" }
  }

  enum Kind: Hashable, Sendable {
    /// One column with the number, and one with a 1 if it is present.
    case number
    /// One column per value.
    case oneHot
    /// One column per combination of values, with the product of the numbers.
    case cross
    /// Columns that are shared by values with the same hash.
    case hash
  }

  var kind: Kind
  /// The factors that are values, in order.
  var categories: [FeatureSource]
  /// The factors that are numbers, in order.
  var numbers: [Number]
  /// The maximum number of columns of values, or the number of hashed columns.
  var limit: Int

  /// The default of ``limit`` for one-hot terms and crosses.
  static let standardLimit = 200
}

extension FeatureTerm: CustomStringConvertible {
  /// The textual form, without defaults.
  var description: String {
    if kind == .number { return numbers.map(\.description).joined() }
    var parts = numbers.map(\.description) + categories.map(\.description)
    if kind == .hash || limit != Self.standardLimit { parts.append(String(limit)) }
    let name = kind == .hash ? "hash" : kind == .oneHot ? "one-hot" : "cross"
    return "\(name)(\(parts.joined(separator: ",")))"
  }
}
