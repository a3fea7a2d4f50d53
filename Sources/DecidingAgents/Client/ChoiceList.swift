/// A list of choices: `"a,b,c"`, `["a", "b", "c"]`, or `3` for `0`, `1` and `2`.
public protocol ChoiceList: Sendable {
  /// Returns the codes in order, the fallback first.
  ///
  /// - Throws: ``AgentError/invalidDefinition(path:reason:)`` when the choices are invalid.
  func choices() throws(AgentError) -> [String]
}

extension String: ChoiceList {
  /// Returns the codes between the commas, verbatim.
  public func choices() -> [String] { ChoiceText.codes(self[...]) }
}

extension Array: ChoiceList where Element == String {
  /// Returns the codes.
  ///
  /// - Throws: ``AgentError/invalidDefinition(path:reason:)`` when there are none.
  public func choices() throws(AgentError) -> [String] {
    guard !isEmpty else {
      throw .invalidDefinition(path: "choices", reason: "must have at least one code")
    }
    return self
  }
}

extension Int: ChoiceList {
  /// Returns the numbers below this one.
  ///
  /// - Throws: ``AgentError/invalidDefinition(path:reason:)`` when this is not in 1 ...
  ///   ``ChoiceText/maximumCount``.
  public func choices() throws(AgentError) -> [String] {
    guard let text = ChoiceText(count: self), let codes = text.slots.first?.choices else {
      throw .invalidDefinition(
        path: "choices", reason: ChoiceText.complaint(aboutCount: self))
    }
    return codes
  }
}
