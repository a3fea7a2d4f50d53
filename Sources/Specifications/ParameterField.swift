/// A parameter of a type: its name, default and meaning, and the property that it sets.
public struct ParameterField<Made: ParameterGroup>: Sendable {
  /// The name, default and meaning.
  public let listing: SpecificationInfo.Parameter
  /// Sets the property to what a specification gives, or to the default.
  let read: @Sendable (inout Made, Specification, Made.ParameterSources) throws(SpecificationError) -> Void
  /// Returns the text of the property; nil for a value that is expressed by leaving the parameter out.
  let write: @Sendable (Made) -> String?
  /// Checks a property that was set in Swift. Messages name the type by its name in specifications.
  let check: @Sendable (Made, String) throws(SpecificationError) -> Void

  /// Declares a parameter of any kind.
  ///
  /// - Parameters:
  ///   - listing: The name, default and meaning.
  ///   - read: Sets the property to what a specification gives, or to the default.
  ///   - write: Returns the text of the property; nil for a value that is expressed by leaving the parameter out.
  ///   - check: Checks a property that was set in Swift.
  public init(
    _ listing: SpecificationInfo.Parameter,
    read:
      @escaping @Sendable (inout Made, Specification, Made.ParameterSources)
      throws(SpecificationError) -> Void,
    write: @escaping @Sendable (Made) -> String?,
    check: @escaping @Sendable (Made, String) throws(SpecificationError) -> Void = { _, _ in }
  ) {
    (self.listing, self.read, self.write, self.check) = (listing, read, write, check)
  }

  /// Declares a parameter with a value that a property holds.
  public init<Value>(_ parameter: Parameter<Value>, _ path: any ParameterPath<Made, Value>) {
    let key = parameter.listing.key
    self.init(parameter.listing) { (made, specification, _) throws(SpecificationError) in
      made[keyPath: path] = try parameter.value(in: specification)
    } write: {
      parameter.written($0[keyPath: path])?.value
    } check: { (made, name) throws(SpecificationError) in
      // The text of a value is valid if and only if the value is.
      let written = parameter.written(made[keyPath: path])
      let text = written.map { Specification.Parameter(key: key, value: $0.value) }
      _ = try parameter.value(in: Specification(name, text.map { [$0] } ?? []))
    }
  }

  /// Returns the parameter for a specification; nil if its text is that of another value, or nil.
  func written(_ made: Made, unlessIn standard: Made) -> Specification.Parameter? {
    guard let text = write(made), text != write(standard) else { return nil }
    return Specification.Parameter(key: listing.key, value: text)
  }
}

/// The place of a parameter in a type.
public typealias ParameterPath<Made, Value> = WritableKeyPath<Made, Value> & Sendable

extension ParameterField {
  /// Declares a number.
  public static func number(
    _ key: String, _ path: any ParameterPath<Made, Double>, in range: ClosedRange<Double>,
    _ meaning: String
  ) -> Self {
    Self(.number(key, default: Made()[keyPath: path], in: range, meaning), path)
  }

  /// Declares a number whose absence means something that no number says.
  public static func number(
    _ key: String, _ path: any ParameterPath<Made, Double?>, in range: ClosedRange<Double>,
    _ meaning: String
  ) -> Self {
    Self(.optionalNumber(key, in: range, meaning), path)
  }

  /// Declares an integer.
  public static func integer(
    _ key: String, _ path: any ParameterPath<Made, Int>, in range: ClosedRange<Int>,
    _ meaning: String
  ) -> Self {
    Self(.integer(key, default: Made()[keyPath: path], in: range, meaning), path)
  }

  /// Declares an integer whose absence means something that no number says.
  public static func integer(
    _ key: String, _ path: any ParameterPath<Made, Int?>, in range: ClosedRange<Int>,
    _ meaning: String
  ) -> Self {
    Self(.optionalInteger(key, in: range, meaning), path)
  }

  /// Declares a parameter that is `yes` or `no`; `alternatives` are the valid words as the error message for any other
  /// names them.
  public static func flag(
    _ key: String, _ path: any ParameterPath<Made, Bool>, _ meaning: String,
    alternatives: String = "one of no, yes"
  ) -> Self {
    Self(
      .flag(key, default: Made()[keyPath: path], meaning, alternatives: alternatives), path)
  }

  /// Declares one of the words of an enumeration; `alternatives` are the valid ones as the error message for any other
  /// names them.
  public static func word<Value: RawRepresentable<String> & CaseIterable & Sendable>(
    _ key: String, _ path: any ParameterPath<Made, Value>, _ meaning: String,
    alternatives: String? = nil
  ) -> Self {
    Self(.word(key, default: Made()[keyPath: path], meaning, alternatives: alternatives), path)
  }

  /// Declares a list of numbers, which is required if the property is empty at first.
  public static func numbers(
    _ key: String, _ path: any ParameterPath<Made, [Double]>, in range: ClosedRange<Double>,
    _ meaning: String
  ) -> Self {
    Self(.numbers(key, default: Made()[keyPath: path], in: range, meaning), path)
  }

  /// Declares a list of numbers that may be left out.
  public static func numbers(
    _ key: String, _ path: any ParameterPath<Made, [Double]?>, in range: ClosedRange<Double>,
    _ meaning: String
  ) -> Self {
    Self(.optionalNumbers(key, in: range, meaning), path)
  }

  /// Declares a text that may be left out.
  public static func text(
    _ key: String, _ path: any ParameterPath<Made, String?>, _ meaning: String
  ) -> Self {
    Self(.optionalText(key, meaning), path)
  }
}

extension ParameterField {
  /// Returns the parameters of a group that a property holds; their defaults are those of the property.
  public static func group<Group: ParameterGroup>(
    _ path: any ParameterPath<Made, Group>
  ) -> [Self] where Group.ParameterSources == Void {
    let standard = Made()[keyPath: path]
    return Group.parameters.map { field in
      var listing = field.listing
      let isOptional = listing.standard == nil
      if !isOptional { listing.standard = field.write(standard) }
      return Self(listing) { (made, specification, _) throws(SpecificationError) in
        guard isOptional || specification[field.listing.key] != nil else { return }
        try field.read(&made[keyPath: path], specification, ())
      } write: {
        field.write($0[keyPath: path])
      } check: { (made, name) throws(SpecificationError) in
        try field.check(made[keyPath: path], name)
      }
    }
  }
}
