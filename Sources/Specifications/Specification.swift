/// The textual form of policies, environments, predictors and estimators: `name` or `name:key=value,key=value`, such as
/// `epsilon-greedy:epsilon=0.1`; the same in flags, configurations, logs and reports. A value that is itself a
/// specification is enclosed in parentheses, which protect its commas: `floor:policy=(ucb:alpha=1),probability=0.01`.
public struct Specification: Hashable, Sendable, CustomStringConvertible {
  /// A parameter.
  public struct Parameter: Hashable, Sendable {
    /// The name of the parameter.
    public var key: String
    /// The value as text; list elements are separated by semicolons.
    public var value: String

    /// Creates a parameter.
    public init(key: String, value: String) {
      self.key = key
      self.value = value
    }

    /// Creates a numeric parameter; integers have no decimal point.
    public init(key: String, number: Double) {
      self.init(key: key, value: Int(exactly: number).map(String.init) ?? "\(number)")
    }

    /// Compares the UTF-8 bytes.
    public static func == (a: Parameter, b: Parameter) -> Bool {
      a.key.isSameName(as: b.key) && a.value.isSameName(as: b.value)
    }

    /// Hashes the UTF-8 bytes.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(NameKey(key))
      hasher.combine(NameKey(value))
    }
  }

  /// The name before the colon.
  public var name: String
  /// The parameters in order; keys are unique.
  public var parameters: [Parameter]

  /// Creates a specification.
  public init(_ name: String, _ parameters: [Parameter] = []) {
    self.name = name
    self.parameters = parameters
  }

  /// Parses a specification.
  ///
  /// - Throws: ``SpecificationError`` if there is no name, a parameter has no `=` or no name, or a parameter is
  ///   repeated.
  public init(parsing text: String) throws(SpecificationError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    name = String(parts.first ?? "")
    parameters = []
    guard !name.isEmpty else {
      throw SpecificationError("\"\(text)\" has no name; write NAME or NAME:KEY=VALUE,KEY=VALUE")
    }
    guard parts.count > 1 else { return }
    guard let written = Self.parts(of: parts[1], at: ",") else {
      throw SpecificationError("\"\(text)\" has parentheses that do not match")
    }
    for part in written {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, !sides[0].isEmpty else {
        throw SpecificationError(
          "\"\(part)\" in \"\(text)\" is not a parameter; write KEY=VALUE, separated by commas, and lists with "
            + "semicolons, KEY=1;2")
      }
      let key = String(sides[0])
      guard !parameters.contains(where: { $0.key.isSameName(as: key) }) else {
        throw SpecificationError("\"\(key)\" is given twice in \"\(text)\"; keep one")
      }
      parameters.append(Parameter(key: key, value: String(sides[1])))
    }
  }

  /// Returns the parts of a text between separators outside of parentheses; nil if parentheses do not match.
  package static func parts(of text: Substring, at separator: Character) -> [Substring]? {
    var parts: [Substring] = []
    var (start, depth) = (text.startIndex, 0)
    for index in text.indices {
      switch text[index] {
      case "(": depth += 1
      case ")": depth -= 1
      case separator where depth == 0:
        parts.append(text[start..<index])
        start = text.index(after: index)
      default: break
      }
      if depth < 0 { return nil }
    }
    return depth == 0 ? parts + [text[start...]] : nil
  }

  /// The textual form.
  public var description: String {
    guard !parameters.isEmpty else { return name }
    return name + ":" + parameters.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
  }

  /// The value of a parameter as text; nil if it is not given.
  public subscript(key: String) -> String? {
    parameters.first { $0.key.isSameName(as: key) }?.value
  }

  /// Returns the value of a parameter as a number; the default if it is not given.
  ///
  /// - Throws: ``SpecificationError`` if the value is not a finite number in the range.
  public func number(_ key: String, default standard: Double, in range: ClosedRange<Double>)
    throws(SpecificationError) -> Double
  {
    guard let text = self[key] else { return standard }
    guard let number = Double(text), number.isFinite, range.contains(number) else {
      throw SpecificationError(
        "\(key)=\(text) of \(name) must be a number from \(range.lowerBound) to "
          + "\(range.upperBound)")
    }
    return number
  }

  /// Returns the value of a parameter as an integer; the default if it is not given.
  ///
  /// - Throws: ``SpecificationError`` if the value is not an integer in the range.
  public func integer(_ key: String, default standard: Int, in range: ClosedRange<Int>)
    throws(SpecificationError) -> Int
  {
    guard let text = self[key] else { return standard }
    guard let number = Int(text), range.contains(number) else {
      throw SpecificationError(
        "\(key)=\(text) of \(name) must be a whole number from \(range.lowerBound) to "
          + "\(range.upperBound)")
    }
    return number
  }

  /// Returns the numbers of a list separated by semicolons.
  ///
  /// - Throws: ``SpecificationError`` if the parameter is not given, or an element is not a finite number in the range.
  public func numbers(
    _ key: String, in range: ClosedRange<Double>
  ) throws(SpecificationError) -> [Double] {
    guard let text = self[key] else {
      throw SpecificationError("\(name) needs \(key); write \(name):\(key)=NUMBER;NUMBER")
    }
    var numbers: [Double] = []
    for part in text.split(separator: ";", omittingEmptySubsequences: false) {
      guard let number = Double(part), number.isFinite, range.contains(number) else {
        throw SpecificationError(
          "\"\(part)\" in \(key)=\(text) of \(name) must be a number from \(range.lowerBound) to "
            + "\(range.upperBound)")
      }
      numbers.append(number)
    }
    return numbers
  }

  /// Returns the specification given in parentheses, or without them if it has no commas; nil if the parameter is not
  /// given.
  ///
  /// - Throws: ``SpecificationError`` if it is invalid.
  public func nested(_ key: String) throws(SpecificationError) -> Specification? {
    guard let text = self[key] else { return nil }
    let isEnclosed = text.hasPrefix("(") && text.hasSuffix(")")
    return try Specification(parsing: isEnclosed ? String(text.dropFirst().dropLast()) : text)
  }

  /// Rejects parameters with other keys.
  ///
  /// - Throws: ``SpecificationError`` that names the first unknown one.
  public func requireKeys(among keys: [String]) throws(SpecificationError) {
    for parameter in parameters where !keys.contains(parameter.key) {
      throw SpecificationError(
        "\(name) has no parameter \"\(parameter.key)\""
          + NearestName.remedy(for: parameter.key, among: keys, lead: "it takes"))
    }
  }
}

/// An error in a specification.
public struct SpecificationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The fault and its remedy, in one line.
  public var description: String
  /// Whether the fault is in a file that the specification names.
  public var isOfFile = false

  /// Creates an error.
  public init(_ description: String, isOfFile: Bool = false) {
    (self.description, self.isOfFile) = (description, isOfFile)
  }
}
