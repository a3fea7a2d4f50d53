package import Events

extension SituationRegister {
  /// Looks up the value of an attribute of a variant in a situation.
  ///
  /// - Parameters:
  ///   - index: The position of the attribute among ``UnitSelection/variantFeatures``.
  ///   - variant: The code of the variant.
  ///   - situation: The index of the situation.
  /// - Returns: The value; nil if it has none.
  /// - Complexity: O(log n) in the number of variants that have the attribute.
  package func feature(
    _ index: Int, of variant: UInt32, in situation: UInt32
  ) -> AttributeValue? {
    features[index].value(of: variant, in: featureList(index, of: situation))
  }
}
