extension Policies {
  /// Policies that choose by what is known at a decision.
  static let contextual: [PolicyEntry] = []
}
