public import Statistics

/// A policy that is made of others, written as `policy=(NAME:KEY=VALUE)`.
public protocol WrappingPolicy: Policy {
  /// Makes the policy from a specification.
  ///
  /// - Parameters:
  ///   - specification: The name and the parameters, whose keys are known to be in the guide.
  ///   - variants: The names of the variants in their order.
  ///   - policies: The policies that it may be made of.
  /// - Throws: `SpecificationError` when a value cannot be used.
  init(
    _ specification: Specification, variants: [String], policies: PolicyCatalog
  ) throws(SpecificationError)
}

extension WrappingPolicy {
  /// Makes the policy of built-in ones.
  ///
  /// - Throws: `SpecificationError` when a value cannot be used.
  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    try self.init(specification, variants: variants, policies: .standard)
  }
}

extension Specification {
  /// The policy that stands in parentheses, or without them where it has no commas.
  ///
  /// - Throws: `SpecificationError`: there is none, or it is within too many others.
  func policy(
    _ key: String, variants: [String], from catalog: PolicyCatalog
  ) throws(SpecificationError) -> PreparedPolicy {
    try refuseDepth(of: key, "policies")
    guard let specification = try nested(key) else {
      throw SpecificationError("\(name) needs a policy; write \(name):\(key)=(ucb1)")
    }
    return try catalog.named(specification.description, variants: variants)
  }

  /// The policies between semicolons, each in parentheses, or without them where it has neither commas nor semicolons;
  /// nil when the parameter is not there.
  ///
  /// - Throws: `SpecificationError`: one of them is none, or within too many others.
  func policies(
    _ key: String, variants: [String], from catalog: PolicyCatalog
  ) throws(SpecificationError) -> [PreparedPolicy]? {
    guard let list = try nestedList(key, "policies") else { return nil }
    var policies: [PreparedPolicy] = []
    for nested in list {
      policies.append(try catalog.named(nested.description, variants: variants))
    }
    return policies
  }
}

extension Specification.Parameter {
  /// The parameter whose value is other policies, as they are written.
  init(key: String, nesting policies: [any Policy]) {
    self.init(key: key, value: policies.map { "(\($0.specification))" }.joined(separator: ";"))
  }
}
