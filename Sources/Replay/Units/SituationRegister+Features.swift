package import Events

extension SituationRegister {
  /// Returns the value of an attribute of a variant in a situation; nil if it has none.
  ///
  /// - Parameters:
  ///   - index: The position of the attribute among ``UnitSelection/variantFeatures``.
  ///   - variant: The code of the variant.
  ///   - situation: The index of the situation.
  /// - Complexity: O(log n) in the number of variants that have the attribute.
  package func feature(
    _ index: Int, of variant: UInt32, in situation: UInt32
  ) -> AttributeValue? {
    features[index].value(of: variant, in: featureList(index, of: situation))
  }
}
