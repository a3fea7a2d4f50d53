internal import DecidingAgents
internal import DecidingCore
internal import Events

extension AgentParameters {
  /// Returns the choices of a single decision: those of the path, else those of the parameters. In texts of paths,
  /// queries and forms, digits alone are a number of choices; in an item of a batch only a number is.
  func singleChoices(path: String?, isItem: Bool = false) throws(ServiceProblem) -> [SlotChoices] {
    if let path { return try Self.segment(path) }
    switch self["choices"] {
    case nil: return [SlotChoices(choices: nil)]
    case .string(let text) where !isItem: return try Self.segment(text)
    case .some(let value): return try decoded("choices", value, as: SingleChoices.self).slots
    }
  }

  /// Returns the choices of several slots: those of the path, else those of the parameters; nil if neither has any.
  func multiChoices(path: [String], isItem: Bool = false) throws(ServiceProblem) -> [SlotChoices]? {
    // A path that ends with a slash has no choices.
    if !path.isEmpty, path != [""] { return try Self.parts(path) }
    switch self["choices"] {
    case nil: return nil
    case .string(let text) where !isItem:
      return try Self.parts(text.split(separator: "/", omittingEmptySubsequences: false))
    case .some(let value): return try decoded("choices", value, as: MultiChoices.self).slots
    }
  }

  private static func segment(_ text: String) throws(ServiceProblem) -> [SlotChoices] {
    guard let choices = ChoiceText(pathSegment: text) else { throw badCount(text) }
    return choices.slots
  }

  /// A part of digits alone stands for as many choices.
  private static func parts(_ parts: [some StringProtocol]) throws(ServiceProblem) -> [SlotChoices] {
    var written: [String] = []
    for part in parts {
      let isNumber = !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
      guard isNumber else {
        written.append(String(part))
        continue
      }
      guard let codes = Int(part).flatMap(ChoiceText.init(count:))?.slots.first?.choices else {
        throw badCount(String(part))
      }
      written.append(codes.joined(separator: ","))
    }
    return ChoiceText(parts: written).slots
  }

  private static func badCount(_ text: String) -> ServiceProblem {
    problem("choices", "must be a number in 1 ... \(ChoiceText.maximumCount), not \(text)")
  }
}

private struct SingleChoices: Decodable {
  var slots: [SlotChoices]

  init(from decoder: any Decoder) throws { slots = try WireChoices.single(from: decoder) }
}

private struct MultiChoices: Decodable {
  var slots: [SlotChoices]?

  init(from decoder: any Decoder) throws { slots = try WireChoices.multi(from: decoder) }
}
