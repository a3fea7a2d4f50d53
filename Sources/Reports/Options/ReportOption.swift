public import Events
internal import Replay
public import Specifications

/// An option of a report, declared once: its name, form and meaning, and the parameter of the report that it sets.
///
/// ```swift
/// @OptionsBuilder<Self>
/// public static var options: [ReportOption<Self>] {
///   Option.choice("per", \.per, "what", "Observations that mean, variance and interval are over.")
///   Option.level(\.level)
/// }
/// ```
public struct ReportOption<Made: Report>: Sendable {
  /// The name, form and meaning.
  public var info: OptionInfo
  /// Sets the parameter to the given values, of which there is at least one.
  let set: @Sendable (inout Made, [String], OptionFiles) throws -> Void

  /// Declares an option with any effect.
  ///
  /// - Parameters:
  ///   - info: The name, form and meaning.
  ///   - set: Sets the parameter to the given values, of which there is at least one; a flag has the value "".
  public init(
    _ info: OptionInfo, set: @escaping @Sendable (inout Made, [String], OptionFiles) throws -> Void
  ) {
    (self.info, self.set) = (info, set)
  }

  /// Returns a text that is a value of the option.
  ///
  /// - Throws: An error that says what to write instead.
  public func checked(_ text: String) throws -> String {
    var scratch = Made()
    do {
      try set(&scratch, [text], .unread)
    } catch let error as SpecificationError where error == OptionFiles.unreadError {
      // Making the report reads the file, and says what is wrong with it.
    }
    return text
  }

  /// Returns the option with other properties.
  public func with(_ change: (inout OptionInfo) -> Void) -> Self {
    var option = self
    change(&option.info)
    return option
  }

  /// Returns the option with the words of an enumeration as its values.
  ///
  /// - Parameters:
  ///   - type: The enumeration.
  ///   - standard: What the report has where the option is not given; nil if its help says it.
  /// - Returns: The option.
  public func among<Value: RawRepresentable<String> & CaseIterable>(
    _ type: Value.Type, standard: Value? = nil
  ) -> Self {
    with {
      $0.words = type.allCases.map(\.rawValue)
      $0.standard = standard?.rawValue
    }
  }

  /// Returns the option in a group of help.
  public func grouped(_ group: OptionInfo.Group) -> Self { with { $0.group = group } }
}

/// Collects the options of a report from single ones and from lists that several reports share.
@resultBuilder
public enum OptionsBuilder<Made: Report> {
  /// Returns a list of one option.
  public static func buildExpression(_ option: ReportOption<Made>) -> [ReportOption<Made>] {
    [option]
  }

  /// Returns the options of a list.
  public static func buildExpression(_ options: [ReportOption<Made>]) -> [ReportOption<Made>] {
    options
  }

  /// Returns all options.
  public static func buildBlock(_ parts: [ReportOption<Made>]...) -> [ReportOption<Made>] {
    parts.flatMap { $0 }
  }
}

/// The place of a parameter in a report.
public typealias OptionPath<Made, Value> = WritableKeyPath<Made, Value> & Sendable

/// Reads the files that options name.
public struct OptionFiles: Sendable {
  /// Returns the text of a file.
  public let text: @Sendable (String) throws(SpecificationError) -> String
  /// The named metrics of the file that the options name.
  public var metrics = MetricFile.none
  /// Whether files are not read yet, so that names may still be known later.
  private(set) var isUnread = false

  /// Creates a reader.
  public init(text: @escaping @Sendable (String) throws(SpecificationError) -> String) {
    self.text = text
  }

  static let unreadError = SpecificationError("the file is not read yet")

  /// Reads no file.
  static let unread: OptionFiles = {
    var files = OptionFiles { _ throws(SpecificationError) in throw unreadError }
    files.isUnread = true
    return files
  }()

  /// Returns the metric of a name or of a text such as `revenue:goal=order`.
  ///
  /// - Throws: `SpecificationError` for an unknown one.
  func metric(
    _ text: String, among forms: [String] = Metric.forms
  ) throws(SpecificationError) -> Metric {
    do {
      return try metrics.metric(text, among: forms)
    } catch {
      // It may be the name of a metric in a file.
      throw isUnread && !text.contains(":") ? Self.unreadError : error
    }
  }

  /// Refuses every file.
  public static let none = OptionFiles { path throws(SpecificationError) in
    throw SpecificationError("\(path.debugDescription) is a file, and no files are read here")
  }
}

extension ReportOption {
  /// Declares an option with one value.
  @_semantics("optimize.sil.specialize.generic.never")  // It is called once for each option.
  public static func value<Value>(
    _ name: String, _ value: String, _ help: String, kind: OptionInfo.Kind = .text,
    _ parse: @escaping @Sendable (String) throws -> Value,
    set: @escaping @Sendable (inout Made, Value) -> Void
  ) -> Self {
    Self(OptionInfo(name, .single, value, help)) { made, texts, _ in
      set(&made, try parse(texts[texts.count - 1]))
    }.with { $0.kind = kind }
  }

  /// Declares an option with one value, which a parameter is set to.
  public static func value<Value>(
    _ name: String, _ path: any OptionPath<Made, Value>, _ value: String,
    _ help: String, kind: OptionInfo.Kind = .text,
    _ parse: @escaping @Sendable (String) throws -> Value
  ) -> Self {
    self.value(name, value, help, kind: kind, parse) { $0[keyPath: path] = $1 }
  }

  /// Declares a flag.
  @_semantics("optimize.sil.specialize.generic.never")  // It is called once for each option.
  public static func flag(
    _ name: String, _ help: String, set: @escaping @Sendable (inout Made) -> Void
  ) -> Self {
    Self(OptionInfo(name, .flag, "", help)) { made, _, _ in set(&made) }
  }

  /// Declares a flag that sets a parameter to true.
  public static func flag(
    _ name: String, _ path: any OptionPath<Made, Bool>, _ help: String
  ) -> Self {
    flag(name, help) { $0[keyPath: path] = true }
  }

  /// Declares a number, such as 0.05 or 5%.
  public static func number(
    _ name: String, _ path: any OptionPath<Made, Double>, _ value: String,
    _ help: String
  ) -> Self {
    self.value(name, path, value, help, kind: .number, OptionValue.number)
  }

  /// Declares a number that can be absent.
  public static func number(
    _ name: String, _ path: any OptionPath<Made, Double?>, _ value: String,
    _ help: String
  ) -> Self {
    self.value(name, path, value, help, kind: .number) { try OptionValue.number($0) }
  }

  /// Declares an integer, such as 1000 or 1e3.
  public static func integer<Number: FixedWidthInteger & Sendable>(
    _ name: String, _ path: any OptionPath<Made, Number>, _ value: String,
    _ help: String
  ) -> Self {
    self.value(name, path, value, help, kind: .integer) { try OptionValue.integer($0) }
  }

  /// Declares an integer that can be absent.
  public static func integer<Number: FixedWidthInteger & Sendable>(
    _ name: String, _ path: any OptionPath<Made, Number?>, _ value: String,
    _ help: String
  ) -> Self {
    self.value(name, path, value, help, kind: .integer) { try OptionValue.integer($0) as Number }
  }

  /// Declares a duration in microseconds, such as 7d.
  public static func duration(
    _ name: String, _ path: any OptionPath<Made, Int64>, _ value: String,
    _ help: String
  ) -> Self {
    self.value(name, path, value, help, OptionValue.duration)
  }

  /// Declares a time: a date, which is its start in the time zone of the report, ISO 8601 with an offset, or a number
  /// since 1970.
  public static func time(
    _ name: String, _ help: String, set: @escaping @Sendable (inout Made, Timestamp) -> Void
  ) -> Self {
    value(name, "time", help, { try OptionValue.time($0) }, set: set).with { $0.isTime = true }
  }

  /// Declares one of the words of an enumeration.
  public static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ path: any OptionPath<Made, Value>, _ value: String,
    _ help: String
  ) -> Self {
    self.value(name, path, value, help, OptionValue.choice)
      .among(Value.self, standard: Made()[keyPath: path])
  }

  /// Declares one of the words of an enumeration that can be absent.
  public static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ path: any OptionPath<Made, Value?>, _ value: String,
    _ help: String
  ) -> Self {
    self.value(name, path, value, help) { try OptionValue.choice($0) as Value }
      .among(Value.self)
  }

  /// Declares a text that can be absent.
  public static func text(
    _ name: String, _ path: any OptionPath<Made, String?>, _ value: String,
    _ help: String
  ) -> Self {
    self.value(name, path, value, help) { $0 }
  }

  /// Declares an option that can be given more than once: the parameter is set to all that were given.
  public static func repeated<Value>(
    _ name: String, _ path: any OptionPath<Made, [Value]>, _ value: String,
    _ help: String, _ parse: @escaping @Sendable (String) throws -> Value
  ) -> Self {
    Self(OptionInfo(name, .repeated, value, help)) { made, texts, _ in
      made[keyPath: path] = try texts.map(parse)
    }
  }

  /// Declares an option with a list in its value, which can be given more than once too.
  public static func list<Value>(
    _ name: String, _ path: any OptionPath<Made, [Value]>, _ value: String,
    _ help: String, _ parse: @escaping @Sendable (String) throws -> Value
  ) -> Self {
    Self(OptionInfo(name, .repeated, value, help)) { made, texts, _ in
      made[keyPath: path] = try texts.flatMap { try OptionValue.list(of: parse)($0) }
    }
  }
}
