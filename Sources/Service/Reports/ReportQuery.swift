internal import Events
internal import Replay
internal import Specifications

/// The parameters of a request for a report: the options of the command line without their dashes, such as
/// `experiment=pricing&since=2026-01-05&alpha=0.1`.
///
/// A class, because each option that is read is noted: what is left over at the end is unknown.
final class ReportQuery {
  private var values: [(name: String, value: String)] = []
  /// The names of all options that the report has.
  private var known: [String] = []

  /// Reads the query. Keys of clients stand beside the options, and are no options.
  init(_ parameters: [FormParameters.Element]) throws(ServiceProblem) {
    for parameter in parameters {
      guard let name = parameter.name, let value = parameter.value else {
        throw ServiceProblem(
          400, "invalid-query", "the query has a malformed escape; encode it as UTF-8")
      }
      if name != "apikey", name != "apiKey" { values.append((name, value)) }
    }
  }

  /// Throws an error if an option is unknown.
  func finish() throws(ServiceProblem) {
    for (name, _) in values where !known.contains(name) {
      throw ServiceProblem(
        400, "unknown-option", NearestName.unknown("option", name, among: known))
    }
  }

  // MARK: Values

  /// Returns all values of an option, in order.
  func texts(_ name: String) -> [String] {
    known.append(name)
    return values.filter { $0.name == name }.map(\.value)
  }

  /// Returns the value of an option; nil if it is not given.
  func text(_ name: String) throws(ServiceProblem) -> String? {
    let texts = texts(name)
    guard texts.count < 2 else {
      throw Self.problem(name, "is given \(texts.count) times; give it once")
    }
    return texts.first
  }

  /// Returns whether a flag is given: `wide`, `wide=true` or `wide=1`.
  func flag(_ name: String) throws(ServiceProblem) -> Bool {
    switch try text(name) {
    case nil, "false", "0": return false
    case "", "true", "1": return true
    case let value?: throw Self.problem(name, "is \(value.debugDescription); write true or false")
    }
  }

  /// Returns a number, such as 0.05 or 5%.
  func number(_ name: String) throws(ServiceProblem) -> Double? {
    try value(name, "a number; write one such as 0.05, 5% or 1e6") { text in
      WrittenValue.number(text).flatMap { $0.isNaN ? nil : $0 }
    }
  }

  /// Returns an integer, such as 1000 or 1e3.
  func integer<Number: FixedWidthInteger>(_ name: String) throws(ServiceProblem) -> Number? {
    try value(name, "a whole number; write one such as 1000 or 1e3") { WrittenValue.integer($0) }
  }

  /// Returns a duration, in microseconds.
  func duration(_ name: String) throws(ServiceProblem) -> Int64? {
    try value(
      name,
      "a duration; write a whole number with a unit, such as 7d, 12h, 30m or 90s (7 is 7 days)"
    ) {
      DurationText.microseconds($0)
    }
  }

  /// Returns a duration in microseconds, or the value of `none`, which is unlimited.
  ///
  /// - Parameters:
  ///   - name: The name of the option.
  ///   - standard: The value where the option is not given; nil for unlimited.
  /// - Returns: The duration; nil for unlimited.
  /// - Throws: ``ServiceProblem`` if it is neither.
  func window(_ name: String, standard: Int64?) throws(ServiceProblem) -> Int64? {
    let given: Int64?? = try value(
      name, "a duration, such as 7d, 12h, 30m or 90s (7 is 7 days), or none"
    ) {
      $0 == "none" ? .some(nil) : DurationText.microseconds($0).map { .some($0) }
    }
    return given ?? standard
  }

  /// Returns a time: a date, ISO 8601 with an offset, or a number since 1970.
  func time(_ name: String) throws(ServiceProblem) -> Timestamp? {
    try value(
      name,
      "a time; write a date such as 2026-01-05, ISO 8601 with an offset, or a number since 1970"
    ) { text in
      let isDate = text.utf8.count == 10 && text.utf8.contains(UInt8(ascii: "-"))
      let bytes = Array((isDate ? "\(text)T00:00:00Z" : text).utf8)
      if let time = Timestamp(iso8601: bytes.span) { return time }
      if let whole = Int64(text) { return Timestamp(sinceEpoch: whole) }
      return Double(text).flatMap { Timestamp(sinceEpoch: $0) }
    }
  }

  /// Returns one of the values of an enumeration.
  func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ type: Value.Type = Value.self
  ) throws(ServiceProblem) -> Value? {
    guard let text = try text(name) else { return nil }
    return try Self.choice(name, text)
  }

  /// Returns several values of an enumeration, with commas between them or given one by one.
  func choices<Value: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ type: Value.Type = Value.self
  ) throws(ServiceProblem) -> [Value] {
    var choices: [Value] = []
    for text in elements(name) { choices.append(try Self.choice(name, text)) }
    return choices
  }

  /// Returns numbers, with commas between them; nil if there are none.
  func numbers(_ name: String) throws(ServiceProblem) -> [Double]? {
    var numbers: [Double] = []
    for text in elements(name) {
      guard let number = WrittenValue.number(text), !number.isNaN else {
        throw Self.problem(name, "has \(text.debugDescription), which is not a number")
      }
      numbers.append(number)
    }
    return numbers.isEmpty ? nil : numbers
  }

  /// Returns a dimension, such as context.country.
  func dimension(_ name: String) throws(ServiceProblem) -> Dimension? {
    guard let text = try text(name) else { return nil }
    if let dimension = Dimension(text) { return dimension }
    throw Self.problem(
      name, "is unknown: " + NearestName.unknown("dimension", text, among: Dimension.forms))
  }

  /// Returns durations of whole days, such as 7, 7d or 1w, with commas between them; nil if there are none.
  func days(_ name: String) throws(ServiceProblem) -> [Int]? {
    let day: Int64 = 86_400_000_000
    var days: [Int] = []
    for text in elements(name) {
      guard let microseconds = DurationText.microseconds(text), microseconds % day == 0 else {
        throw Self.problem(
          name, "has \(text.debugDescription); write a number of days such as 7, 7d or 1w")
      }
      days.append(Int(microseconds / day))
    }
    return days.isEmpty ? nil : days
  }

  private func elements(_ name: String) -> [String] {
    texts(name).flatMap { WrittenValue.elements($0).map(String.init) }
  }

  private func value<Value>(
    _ name: String, _ form: String, _ parse: (String) -> Value?
  ) throws(ServiceProblem) -> Value? {
    guard let text = try text(name) else { return nil }
    if let value = parse(text) { return value }
    throw Self.problem(name, "is \(text.debugDescription), which is not \(form)")
  }

  private static func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ text: String
  ) throws(ServiceProblem) -> Value {
    if let value = Value(rawValue: text) { return value }
    throw problem(
      name,
      "has an "
        + NearestName.unknown("value", text, among: Value.allCases.map(\.rawValue)))
  }

  static func problem(_ name: String, _ text: String) -> ServiceProblem {
    ServiceProblem(400, "invalid-option", "\(name) \(text)")
  }
}
