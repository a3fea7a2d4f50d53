/// The value of an attribute of a context, a feature or a metadata entry. Numbers are compared by value, so that `33`
/// and `33.0` are equal, and texts by their UTF-8 bytes.
public enum AttributeValue: Hashable, Sendable {
  /// A finite number. Integers up to 2^53 in magnitude are stored as numbers too: `33` and `33.0` are the same value.
  case number(Double)
  /// An integer beyond 2^53 in magnitude, which a `Double` would not hold exactly.
  case integer(Int64)
  /// A text.
  case text(String)
  /// A truth value.
  case flag(Bool)
}

extension AttributeValue {
  /// Compares numbers by value and texts by their UTF-8 bytes.
  public static func == (a: AttributeValue, b: AttributeValue) -> Bool {
    switch (a, b) {
    case (.number(let a), .number(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.integer(let integer), .number(let number)), (.number(let number), .integer(let integer)):
      Int64(exactly: number) == integer
    case (.text(let a), .text(let b)): a.hasSameBytes(as: b)
    case (.flag(let a), .flag(let b)): a == b
    default: false
    }
  }

  /// Hashes the value, consistently with `==`.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .number(let number):
      if let integer = Int64(exactly: number) {
        hasher.combine(integer)
      } else {
        hasher.combine(number)
      }
    case .integer(let integer): hasher.combine(integer)
    case .text(let text): text.hashBytes(into: &hasher)
    case .flag(let flag): hasher.combine(flag)
    }
  }
}

extension AttributeValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
  /// Creates a text from a literal.
  public init(stringLiteral value: String) { self = .text(value) }

  /// Creates a number from a literal.
  public init(floatLiteral value: Double) { self = .number(value) }

  /// Creates a number from an integer literal.
  public init(integerLiteral value: Int64) { self.init(value) }

  /// Creates a truth value from a literal.
  public init(booleanLiteral value: Bool) { self = .flag(value) }

  /// Creates a value from an integer: ``number(_:)`` up to 2^53 in magnitude, where a `Double` is exact, otherwise
  /// ``integer(_:)``.
  public init(_ value: Int64) {
    self = value.magnitude <= 1 << 53 ? .number(Double(value)) : .integer(value)
  }
}

/// An ordered collection of named values with unique names, in the given order. Names are compared by their UTF-8
/// bytes.
public struct Attributes: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// A named value.
  public struct Entry: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The value.
    public var value: AttributeValue

    /// Creates a named value.
    public init(name: String, value: AttributeValue) {
      self.name = name
      self.value = value
    }

    /// Compares the name by its UTF-8 bytes, and the value.
    public static func == (a: Entry, b: Entry) -> Bool {
      a.name.hasSameBytes(as: b.name) && a.value == b.value
    }

    /// Hashes name and value, consistently with `==`.
    public func hash(into hasher: inout Hasher) {
      name.hashBytes(into: &hasher)
      hasher.combine(value)
    }
  }

  /// The entries in order.
  public private(set) var entries: [Entry] = []

  /// Creates an empty collection.
  public init() {}

  /// Creates a collection from a literal. Of two entries with the same name, the later value is kept.
  public init(dictionaryLiteral elements: (String, AttributeValue)...) {
    for (name, value) in elements { self[name] = value }
  }

  /// The value with the given name. Setting it replaces the value in place or appends it; setting nil removes it.
  ///
  /// - Complexity: O(n) in the number of entries, which are few.
  public subscript(name: String) -> AttributeValue? {
    get { entries.first { $0.name.hasSameBytes(as: name) }?.value }
    set {
      let index = entries.firstIndex { $0.name.hasSameBytes(as: name) }
      switch (index, newValue) {
      case (let index?, let value?): entries[index].value = value
      case (let index?, nil): entries.remove(at: index)
      case (nil, let value?): entries.append(Entry(name: name, value: value))
      case (nil, nil): break
      }
    }
  }

  /// Appends an entry whose name is known to be new.
  package mutating func append(unique entry: Entry) {
    entries.append(entry)
  }
}

/// The attributes of each choice that the policy observed, by variant, in the given order.
public struct Features: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// The attributes of one choice.
  public struct Entry: Hashable, Sendable {
    /// The choice.
    public var variant: VariantID
    /// The attributes of the choice.
    public var attributes: Attributes

    /// Creates the attributes of one choice.
    public init(variant: VariantID, attributes: Attributes) {
      self.variant = variant
      self.attributes = attributes
    }
  }

  /// The entries in order, with unique variants.
  public private(set) var entries: [Entry] = []

  /// Creates an empty collection.
  public init() {}

  /// Creates a collection from a literal. Of two entries for the same variant, the later attributes are kept.
  public init(dictionaryLiteral elements: (VariantID, Attributes)...) {
    for (variant, attributes) in elements { self[variant] = attributes }
  }

  /// The attributes of a choice. Setting them replaces them in place or appends them; setting nil removes them.
  ///
  /// - Complexity: O(n) in the number of choices.
  public subscript(variant: VariantID) -> Attributes? {
    get { entries.first { $0.variant == variant }?.attributes }
    set {
      let index = entries.firstIndex { $0.variant == variant }
      switch (index, newValue) {
      case (let index?, let value?): entries[index].attributes = value
      case (let index?, nil): entries.remove(at: index)
      case (nil, let value?): entries.append(Entry(variant: variant, attributes: value))
      case (nil, nil): break
      }
    }
  }

  /// Appends an entry whose variant is known to be new.
  package mutating func append(unique entry: Entry) {
    entries.append(entry)
  }
}
