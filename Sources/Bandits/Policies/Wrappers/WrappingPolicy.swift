public import Specifications

/// The sources of policies' parameters besides the specification.
public struct PolicySources: Sendable {
  /// The names of the variants, in order.
  public var variants: [String]
  /// The policies that a policy may wrap.
  public var policies: PolicyCatalog
  /// The learned policy in the file that the specification names.
  var learned: LearnedPolicy?

  /// Creates sources; the built-in policies by default.
  public init(variants: [String] = [], policies: PolicyCatalog = .standard) {
    (self.variants, self.policies) = (variants, policies)
  }
}

extension ParameterField where Made.ParameterSources == PolicySources {
  /// Declares a required policy, given in parentheses, or without them if it has no commas.
  public static func policy(
    _ key: String, _ path: any ParameterPath<Made, PreparedPolicy?>, _ meaning: String
  ) -> Self {
    let missing = { @Sendable (name: String) in
      SpecificationError("\(name) needs a policy; write \(name):\(key)=(ucb1)")
    }
    return Self(SpecificationInfo.Parameter(key, nil, meaning)) {
      (made, specification, sources) throws(SpecificationError) in
      try specification.refuseDepth(of: key, "policies")
      guard let nested = try specification.nested(key) else { throw missing(specification.name) }
      made[keyPath: path] = try sources.policies.named(
        nested.description, variants: sources.variants)
    } write: {
      $0[keyPath: path].map { "(\($0.specification))" }
    } check: { (made, name) throws(SpecificationError) in
      if made[keyPath: path] == nil { throw missing(name) }
    }
  }

  /// Declares policies separated by semicolons, each in parentheses, or without them if it has neither commas nor
  /// semicolons.
  public static func policies(
    _ key: String, _ path: any ParameterPath<Made, [PreparedPolicy]>, _ meaning: String
  ) -> Self {
    Self(SpecificationInfo.Parameter(key, nil, meaning)) {
      (made, specification, sources) throws(SpecificationError) in
      for nested in try specification.nestedList(key, "policies") ?? [] {
        made[keyPath: path].append(
          try sources.policies.named(nested.description, variants: sources.variants))
      }
    } write: {
      let list = $0[keyPath: path]
      return list.isEmpty ? nil : list.map { "(\($0.specification))" }.joined(separator: ";")
    }
  }

  /// Declares the name of a variant, beside the names of all of them.
  static func variant(
    _ key: String, _ path: any ParameterPath<Made, String?>,
    of names: any ParameterPath<Made, [String]>, _ meaning: String
  ) -> Self {
    Self(SpecificationInfo.Parameter(key, nil, meaning)) { made, specification, sources in
      made[keyPath: path] = specification[key]
      made[keyPath: names] = sources.variants
    } write: {
      $0[keyPath: path]
    }
  }
}
