internal import Bandits
internal import EventLog
internal import Specifications

extension EvaluationSource {
  /// Throws if no decision has an attribute that is read: a misspelt name would count as absent everywhere.
  ///
  /// - Parameters:
  ///   - sources: What is read.
  ///   - owner: What the decisions belong to, for the error.
  /// - Throws: `SpecificationError` that names the attribute.
  func require(_ sources: [FeatureSource], of owner: String) throws(SpecificationError) {
    for source in sources {
      switch source {
      case .context(let name):
        let index = attributes.firstIndex(ofName: name)
        guard let index, !contents.hasAttribute(index) else { continue }
        throw SpecificationError(
          "no decision of \(owner) has an attribute \"\(name)\" in its context"
            + remedy(forAttribute: name))
      case .features(let name):
        let index = variantFeatures.firstIndex(ofName: name)
        guard let index, !contents.hasFeature(index) else { continue }
        throw SpecificationError(
          "no decision of \(owner) has a variant with an attribute \"\(name)\" in its features"
            + remedy(forAttribute: name))
      case .variant, .slot: continue
      }
    }
  }
}
