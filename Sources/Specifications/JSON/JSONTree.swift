/// A JSON value whose members have an order, so that the same value always gives the same bytes.
///
/// Feature maps, learned policies, and the files of reports and scenarios have this form.
public indirect enum JSONTree: Hashable, Sendable {
  /// A named value.
  public struct Member: Hashable, Sendable {
    /// The name, unique among the members of an object.
    public var name: String
    /// The value.
    public var value: JSONTree

    /// Creates a member.
    public init(_ name: String, _ value: JSONTree) {
      self.name = name
      self.value = value
    }
  }

  /// `null`.
  case null
  /// A text.
  case text(String)
  /// An integer.
  case integer(Int)
  /// An integer that may be too large for `Int`.
  case unsigned(UInt64)
  /// Any number; finite.
  case number(Double)
  /// `true` or `false`.
  case flag(Bool)
  /// A list.
  case list([JSONTree])
  /// Named values in order.
  case object([Member])

  /// The value of a member; nil if there is none or this is not an object.
  public subscript(name: String) -> JSONTree? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }
}

extension JSONTree {
  /// Creates an object of the members that have a value.
  package static func members(_ members: [(String, JSONTree?)]) -> JSONTree {
    .object(members.compactMap { name, value in value.map { Member(name, $0) } })
  }

  /// Creates a text; nil for nil.
  package static func text(_ text: String?) -> JSONTree? { text.map { .text($0) } }

  /// Creates a list of texts.
  package static func texts(_ texts: [String]) -> JSONTree { .list(texts.map { .text($0) }) }

  /// Creates a list of numbers.
  package static func numbers(_ numbers: [Double]) -> JSONTree {
    .list(numbers.map { .number($0) })
  }
}

extension JSONTree {
  /// Returns the text of a member.
  ///
  /// - Throws: `SpecificationError` if it is missing or not a text; the same for the following functions.
  package func text(_ name: String) throws(SpecificationError) -> String {
    guard case .text(let text)? = self[name] else { throw Self.missing(name, "text") }
    return text
  }

  /// Returns the finite number of a member.
  package func number(_ name: String) throws(SpecificationError) -> Double {
    guard case .number(let number)? = self[name], number.isFinite else {
      throw Self.missing(name, "finite number")
    }
    return number
  }

  /// Returns the whole number of a member.
  package func integer(_ name: String, in range: ClosedRange<Int>) throws(SpecificationError) -> Int {
    let number = try number(name)
    guard let integer = Int(exactly: number), range.contains(integer) else {
      throw SpecificationError(
        "\"\(name)\" is \(number) and must be a whole number from \(range.lowerBound) to "
          + "\(range.upperBound)")
    }
    return integer
  }

  /// Returns the truth value of a member.
  package func flag(_ name: String) throws(SpecificationError) -> Bool {
    guard case .flag(let flag)? = self[name] else { throw Self.missing(name, "flag") }
    return flag
  }

  /// Returns the list of a member.
  package func list(_ name: String) throws(SpecificationError) -> [JSONTree] {
    guard case .list(let list)? = self[name] else { throw Self.missing(name, "list") }
    return list
  }

  /// Returns the list of finite numbers of a member.
  package func numbers(_ name: String) throws(SpecificationError) -> [Double] {
    var numbers: [Double] = []
    for value in try list(name) {
      guard case .number(let number) = value, number.isFinite else {
        throw Self.missing(name, "list of finite numbers")
      }
      numbers.append(number)
    }
    return numbers
  }

  /// Returns the list of texts of a member.
  package func texts(_ name: String) throws(SpecificationError) -> [String] {
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
