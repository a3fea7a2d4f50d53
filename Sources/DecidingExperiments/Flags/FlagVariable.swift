public import Events

/// A variable of a flag's variation: what the app reads in place of a constant.
public struct FlagVariable: Hashable, Sendable {
  /// What sort of value it has.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// True or false; reads as `Bool`.
    case boolean = "BOOLEAN"
    /// A text; reads as `String`.
    case string = "STRING"
    /// A number; a whole one reads as `Int` or `Double`, any other one only as `Double`.
    case number = "NUMBER"
    /// Any JSON; reads as `JSONValue`.
    case json = "JSON"
    /// A script; reads as `String`.
    case js = "JS"
    /// A style sheet; reads as `String`.
    case css = "CSS"

    /// Whether a variable of this kind may have the value.
    func admits(_ value: JSONValue) -> Bool {
      switch self {
      case .boolean: value.boolean != nil
      case .string, .js, .css: value.string != nil
      case .number: value.number != nil
      case .json: true
      }
    }
  }

  /// Its name.
  public var key: String
  /// What sort of value it has.
  public var kind: Kind
  /// The value.
  public var value: JSONValue

  /// Makes a variable.
  public init(key: String, kind: Kind, value: JSONValue) {
    self.key = key
    self.kind = kind
    self.value = value
  }

  /// The value as a `Bool`, `String`, `Int`, `Double` or `JSONValue`.
  ///
  /// - Throws: ``ExperimentError/variableTypeMismatch(_:)``: a variable of that kind does not read so.
  public func read<Value: FlagVariableValue>(
    as type: Value.Type = Value.self
  ) throws(ExperimentError) -> Value {
    guard let value = Value.read(self) else {
      throw .variableTypeMismatch(
        "the variable \"\(key)\" is of type \(kind.rawValue) with the value \(value), which does not read "
          + "as \(type)")
    }
    return value
  }
}

/// What a variable of a flag can be read as.
public protocol FlagVariableValue: Sendable {
  /// The value of the variable; nil when it does not read so.
  static func read(_ variable: FlagVariable) -> Self?
}

extension Bool: FlagVariableValue {
  /// The value of a boolean variable.
  public static func read(_ variable: FlagVariable) -> Bool? {
    variable.kind == .boolean ? variable.value.boolean : nil
  }
}

extension String: FlagVariableValue {
  /// The value of a text, a script or a style sheet.
  public static func read(_ variable: FlagVariable) -> String? {
    [.string, .js, .css].contains(variable.kind) ? variable.value.string : nil
  }
}

extension Int: FlagVariableValue {
  /// The value of a number that is whole.
  public static func read(_ variable: FlagVariable) -> Int? {
    guard variable.kind == .number, let integer = variable.value.integer else { return nil }
    return Int(exactly: integer)
  }
}

extension Double: FlagVariableValue {
  /// The value of a number.
  public static func read(_ variable: FlagVariable) -> Double? {
    variable.kind == .number ? variable.value.number : nil
  }
}

extension JSONValue: FlagVariableValue {
  /// The value of a JSON variable.
  public static func read(_ variable: FlagVariable) -> JSONValue? {
    variable.kind == .json ? variable.value : nil
  }
}
