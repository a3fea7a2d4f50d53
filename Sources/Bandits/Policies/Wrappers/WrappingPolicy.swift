public import Specifications

/// A policy that wraps others, given as `policy=(NAME:KEY=VALUE)`.
public protocol WrappingPolicy: Policy {
  /// Creates the policy that a specification describes.
  ///
  /// - Parameters:
  ///   - specification: The name and the parameters; their keys have been checked against ``Policy/info``.
  ///   - variants: The names of the variants, in order.
  ///   - policies: The catalog of policies that it may wrap.
  /// - Throws: `SpecificationError` if a parameter is invalid.
  init(
    _ specification: Specification, variants: [String], policies: PolicyCatalog
  ) throws(SpecificationError)
}

extension WrappingPolicy {
  /// Creates the policy with built-in policies only.
  ///
  /// - Throws: `SpecificationError` if a parameter is invalid.
  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    try self.init(specification, variants: variants, policies: .standard)
  }
}

extension Specification {
  /// Returns the policy given in parentheses, or without them if it has no commas.
  ///
  /// - Throws: `SpecificationError` if there is none, or nesting is too deep.
  func policy(
    _ key: String, variants: [String], from catalog: PolicyCatalog
  ) throws(SpecificationError) -> PreparedPolicy {
    try refuseDepth(of: key, "policies")
    guard let specification = try nested(key) else {
      throw SpecificationError("\(name) needs a policy; write \(name):\(key)=(ucb1)")
    }
    return try catalog.named(specification.description, variants: variants)
  }

  /// Returns the policies separated by semicolons, each in parentheses, or without them if it has neither commas nor
  /// semicolons; nil if the parameter is not given.
  ///
  /// - Throws: `SpecificationError` if one of them is invalid, or nesting is too deep.
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
  /// Creates a parameter whose value is the specifications of other policies.
  init(key: String, nesting policies: [any Policy]) {
    self.init(key: key, value: policies.map { "(\($0.specification))" }.joined(separator: ";"))
  }
}
