internal import Specifications

extension FeatureTerm {
  private static let names = ["number", "standardized", "one-hot", "cross", "hash"]

  /// Parses a term.
  init(parsing text: Substring) throws(SpecificationError) {
    let (name, arguments) = try Self.call(text)
    switch name {
    case "number", "standardized":
      self.init(kind: .number, categories: [], numbers: [try Self.number(text)], limit: 0)
    case "one-hot", "cross":
      try self.init(name == "cross" ? .cross : .oneHot, text, arguments)
    case "hash": try self.init(hash: text, arguments)
    default: throw SpecificationError(NearestName.unknown("feature", name, among: Self.names))
    }
  }

  private init(
    _ kind: Kind, _ text: Substring, _ arguments: [Substring]
  ) throws(SpecificationError) {
    var factors = arguments
    var limit = Self.standardLimit
    let fewest = kind == .cross ? 2 : 1
    if factors.count > fewest, let last = factors.last, last.allSatisfy(\.isWholeNumber) {
      limit = try Self.integer(last, in: 1...100_000, of: text)
      factors.removeLast()
    }
    guard factors.count >= fewest, factors.count <= (kind == .cross ? 4 : 1) else {
      let form = kind == .cross ? "cross(F,G) with 2 to 4 factors" : "one-hot(NAME)"
      throw SpecificationError("the feature \"\(text)\" must be \(form), with a limit if needed")
    }
    var categories: [FeatureSource] = []
    var numbers: [Number] = []
    for factor in factors {
      if factor.contains("("), kind == .cross {
        numbers.append(try Self.number(factor))
      } else {
        categories.append(try Self.source(factor, of: text))
      }
    }
    self.init(kind: kind, categories: categories, numbers: numbers, limit: limit)
  }

  private init(hash text: Substring, _ arguments: [Substring]) throws(SpecificationError) {
    guard let size = arguments.last, (2...5).contains(arguments.count) else {
      throw SpecificationError(
        "the feature \"\(text)\" must be hash(NAME,...,SIZE) with 1 to 4 names")
    }
    let limit = try Self.integer(size, in: 1...1 << 20, of: text)
    var categories: [FeatureSource] = []
    for name in arguments.dropLast() { categories.append(try Self.source(name, of: text)) }
    self.init(kind: .hash, categories: categories, numbers: [], limit: limit)
  }

  /// Parses `number(A)` or `standardized(A)`.
  private static func number(_ text: Substring) throws(SpecificationError) -> Number {
    let (name, arguments) = try call(text)
    guard name == "number" || name == "standardized", arguments.count == 1 else {
      throw SpecificationError("\"\(text)\" must be number(NAME) or standardized(NAME)")
    }
    return Number(
      source: try source(arguments[0], of: text), isStandardized: name == "standardized")
  }

  /// Returns the name before the parentheses and the arguments in them.
  private static func call(
    _ text: Substring
  ) throws(SpecificationError) -> (name: String, arguments: [Substring]) {
    guard let open = text.firstIndex(of: "("), text.last == ")",
      let arguments = Specification.parts(
        of: text[text.index(after: open)...].dropLast(), at: ",")
    else {
      throw SpecificationError(
        "\"\(text)\" is not a feature; write terms such as number(age)+one-hot(country)")
    }
    return (String(text[..<open]), arguments)
  }

  private static func source(
    _ name: Substring, of text: Substring
  ) throws(SpecificationError) -> FeatureSource {
    let source = FeatureSource(String(name))
    guard !name.isEmpty, !name.hasSuffix("."), !name.contains(where: { "()".contains($0) }) else {
      throw SpecificationError(
        "\"\(name)\" in the feature \"\(text)\" is not a name; write NAME, features.NAME, variant or slot"
      )
    }
    return source
  }

  private static func integer(
    _ digits: Substring, in range: ClosedRange<Int>, of text: Substring
  ) throws(SpecificationError) -> Int {
    guard let number = Int(digits), range.contains(number) else {
      throw SpecificationError(
        "\"\(digits)\" in the feature \"\(text)\" must be a whole number from \(range.lowerBound) to "
          + "\(range.upperBound)")
    }
    return number
  }
}
