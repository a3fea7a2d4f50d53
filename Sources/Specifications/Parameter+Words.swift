extension Parameter where Value == Bool {
  /// Declares a parameter that is `yes` or `no`.
  ///
  /// - Parameters:
  ///   - key: The name.
  ///   - standard: The default.
  ///   - meaning: The meaning.
  ///   - alternatives: The valid words as the error message for any other word names them.
  /// - Returns: The parameter.
  public static func flag(
    _ key: String, default standard: Bool, _ meaning: String,
    alternatives: String = "one of no, yes"
  ) -> Parameter {
    Parameter(
      SpecificationInfo.Parameter(key, standard ? "yes" : "no", meaning),
      read: { (specification) throws(SpecificationError) in
        switch specification[key] {
        case nil: return standard
        case "yes": return true
        case "no": return false
        default: throw specification.wrongWord(key, alternatives)
        }
      }, write: { $0 ? "yes" : "no" })
  }
}

extension Parameter
where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// Declares a parameter that is one of the words of an enumeration.
  ///
  /// - Parameters:
  ///   - key: The name.
  ///   - standard: The default.
  ///   - meaning: The meaning of the words.
  ///   - alternatives: The valid words as the error message for any other word names them; `one of ` and the words by
  ///     default.
  /// - Returns: The parameter.
  public static func word(
    _ key: String, default standard: Value, _ meaning: String, alternatives: String? = nil
  ) -> Parameter {
    Parameter(
      SpecificationInfo.Parameter(key, standard.rawValue, meaning),
      read: { (specification) throws(SpecificationError) in
        guard let text = specification[key] else { return standard }
        if let value = Value(rawValue: text) { return value }
        let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
        throw specification.wrongWord(key, alternatives ?? "one of \(words)")
      }, write: \.rawValue)
  }
}

extension Specification {
  fileprivate func wrongWord(_ key: String, _ alternatives: String) -> SpecificationError {
    SpecificationError("\(key)=\(self[key] ?? "") of \(name) must be \(alternatives)")
  }
}

extension Parameter where Value == [Double] {
  /// Declares a required list of numbers.
  public static func numbers(
    _ key: String, in range: ClosedRange<Double>, _ meaning: String
  ) -> Parameter {
    Parameter(
      SpecificationInfo.Parameter(key, nil, meaning, range),
      read: { (specification) throws(SpecificationError) in
        try specification.numbers(key, in: range)
      }, write: { $0.isEmpty ? nil : $0.specificationText })
  }

  /// Declares a list of numbers with a default; without one, an empty default, it is required.
  static func numbers(
    _ key: String, default standard: [Double], in range: ClosedRange<Double>, _ meaning: String
  ) -> Parameter {
    if standard.isEmpty { return .numbers(key, in: range, meaning) }
    return Parameter(
      SpecificationInfo.Parameter(key, standard.specificationText, meaning, range),
      read: { (specification) throws(SpecificationError) in
        specification[key] == nil ? standard : try specification.numbers(key, in: range)
      }, write: { $0.specificationText })
  }
}

extension Parameter where Value == [Double]? {
  /// Declares a list of numbers that may be left out.
  static func optionalNumbers(
    _ key: String, in range: ClosedRange<Double>, _ meaning: String
  ) -> Parameter {
    Parameter(
      SpecificationInfo.Parameter(key, nil, meaning, range),
      read: { (specification) throws(SpecificationError) in
        specification[key] == nil ? nil : try specification.numbers(key, in: range)
      }, write: { $0?.specificationText })
  }
}

extension [Double] {
  /// The numbers as a list in a specification, separated by semicolons.
  public var specificationText: String {
    map { Specification.Parameter(key: "", number: $0).value }.joined(separator: ";")
  }
}

extension Parameter where Value == String? {
  /// Declares a text, such as a path, that may be left out.
  public static func optionalText(_ key: String, _ meaning: String) -> Parameter {
    Parameter(SpecificationInfo.Parameter(key, nil, meaning), read: { $0[key] }, write: { $0 })
  }
}
