/// What a decision chooses from: `"a,b,c"`, `["a", "b", "c"]`, or `3` for `0`, `1` and `2`.
public protocol ChoiceList: Sendable {
  /// The codes in order, the one to fall back to first.
  ///
  /// - Throws: ``AgentError/invalidDefinition(path:reason:)`` when there cannot be such choices.
  func choices() throws(AgentError) -> [String]
}

extension String: ChoiceList {
  /// The codes between the commas, as they stand.
  public func choices() -> [String] { ChoiceText.codes(self[...]) }
}

extension Array: ChoiceList where Element == String {
  /// The codes.
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
  /// The numbers below this one.
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
