package import Events

extension SituationRegister {
  /// Returns the value of an attribute of a variant in a situation; nil if it has none.
  package func feature(
    _ feature: Int, of variant: UInt32, in situation: UInt32
  ) -> AttributeValue? { nil }
}
