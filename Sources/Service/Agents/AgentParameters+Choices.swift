internal import DecidingAgents
internal import Events

// In texts of paths, queries and forms, digits alone are a number of choices; in a list only a number is.

extension AgentParameters {
  /// Returns the choices of a single decision: those of the path, else those of the parameters.
  func singleChoices(path: String?) throws(ServiceProblem) -> [SlotChoices] {
    guard let text = path ?? members["choices"]?.string else {
      return try optional("choices", Wire.choices) ?? [SlotChoices(choices: nil)]
    }
    guard let choices = ChoiceText(pathSegment: text) else { throw Self.badCount(text) }
    return choices.slots
  }

  /// Returns the choices of several slots: those of the path, else those of the parameters; nil if neither has any.
  func multiChoices(path: [String]) throws(ServiceProblem) -> [SlotChoices]? {
    // A path that ends with a slash has no choices.
    if !path.isEmpty, path != [""] { return try Self.parts(path) }
    guard let text = members["choices"]?.string else { return try optional("choices", Wire.slotChoices) }
    return try Self.parts(text.split(separator: "/", omittingEmptySubsequences: false).map(String.init))
  }

  private static func parts(_ parts: [String]) throws(ServiceProblem) -> [SlotChoices] {
    let written = try parts.map { (part) throws(ServiceProblem) in
      let isNumber = !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
      guard isNumber else { return part }
      guard let codes = Int(part).flatMap(ChoiceText.init(count:))?.slots.first?.choices else {
        throw badCount(part)
      }
      return codes.joined(separator: ",")
    }
    return ChoiceText(parts: written).slots
  }

  private static func badCount(_ text: String) -> ServiceProblem {
    problem("choices", "must be a number in 1 ... \(ChoiceText.maximumCount), not \(text)")
  }
}
