internal import Reports
internal import Specifications

/// The parameters of a request for a report: the options of the command line without their dashes, such as
/// `experiment=pricing&since=2026-01-05&alpha=0.1`.
///
/// A class, because each option that is read is noted: what is left over at the end is unknown.
final class OptionQuery {
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

  /// Returns the texts of an option of a report: at most one unless it can be given more than once, and "" for a flag
  /// that is given. A list can be written with commas or given one by one.
  func values(of option: OptionInfo) throws(ServiceProblem) -> [String] {
    if option.form == .flag { return try flag(option.name) ? [""] : [] }
    if option.form == .repeated { return texts(option.name) }
    return try text(option.name).map { [$0] } ?? []
  }

  /// Returns the value of an option as it is parsed; nil if it is not given.
  func value<Value>(
    _ name: String, _ parse: (String) throws(OptionError) -> Value
  ) throws(ServiceProblem) -> Value? {
    guard let text = try text(name) else { return nil }
    do {
      return try parse(text)
    } catch {
      throw Self.problem(name, "is invalid: \(error)")
    }
  }

  static func problem(_ name: String, _ text: String) -> ServiceProblem {
    ServiceProblem(400, "invalid-option", "\(name) \(text)")
  }
}
