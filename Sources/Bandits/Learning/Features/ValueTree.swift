internal import Specifications

/// A value with named parts in a fixed order, which other targets write as JSON and read back.
///
/// Feature maps and learned policies have this form, without loss, because this target depends on no JSON. The order of
/// fields is kept so that the same policy always gives the same bytes.
public indirect enum ValueTree: Hashable, Sendable {
  /// A named part.
  public struct Field: Hashable, Sendable {
    /// The name, unique among the fields of a value.
    public var name: String
    /// The value.
    public var value: ValueTree

    /// Creates a field.
    public init(_ name: String, _ value: ValueTree) {
      self.name = name
      self.value = value
    }
  }

  /// A text.
  case text(String)
  /// A finite number.
  case number(Double)
  /// A flag.
  case flag(Bool)
  /// A list.
  case list([ValueTree])
  /// Named parts in order.
  case fields([Field])

  /// The value of a field; nil if there is none or this is not a value with fields.
  public subscript(name: String) -> ValueTree? {
    guard case .fields(let fields) = self else { return nil }
    return fields.first { $0.name == name }?.value
  }
}

extension ValueTree {
  static func texts(_ texts: [String]) -> ValueTree { .list(texts.map { .text($0) }) }

  static func numbers(_ numbers: [Double]) -> ValueTree { .list(numbers.map { .number($0) }) }

  /// Returns the text of a field.
  ///
  /// - Throws: `SpecificationError` if it is missing or not a text; the same for the following functions.
  func text(_ name: String) throws(SpecificationError) -> String {
    guard case .text(let text)? = self[name] else { throw Self.missing(name, "text") }
    return text
  }

  func number(_ name: String) throws(SpecificationError) -> Double {
    guard case .number(let number)? = self[name], number.isFinite else {
      throw Self.missing(name, "finite number")
    }
    return number
  }

  func integer(_ name: String, in range: ClosedRange<Int>) throws(SpecificationError) -> Int {
    let number = try number(name)
    guard let integer = Int(exactly: number), range.contains(integer) else {
      throw SpecificationError(
        "\"\(name)\" is \(number) and must be a whole number from \(range.lowerBound) to "
          + "\(range.upperBound)")
    }
    return integer
  }

  func flag(_ name: String) throws(SpecificationError) -> Bool {
    guard case .flag(let flag)? = self[name] else { throw Self.missing(name, "flag") }
    return flag
  }

  func list(_ name: String) throws(SpecificationError) -> [ValueTree] {
    guard case .list(let list)? = self[name] else { throw Self.missing(name, "list") }
    return list
  }

  func numbers(_ name: String) throws(SpecificationError) -> [Double] {
    var numbers: [Double] = []
    for value in try list(name) {
      guard case .number(let number) = value, number.isFinite else {
        throw Self.missing(name, "list of finite numbers")
      }
      numbers.append(number)
    }
    return numbers
  }

  func texts(_ name: String) throws(SpecificationError) -> [String] {
    var texts: [String] = []
    for value in try list(name) {
      guard case .text(let text) = value else { throw Self.missing(name, "list of texts") }
      texts.append(text)
    }
    return texts
  }

  private static func missing(_ name: String, _ kind: String) -> SpecificationError {
    SpecificationError("\"\(name)\" is missing or is not a \(kind)")
  }
}
