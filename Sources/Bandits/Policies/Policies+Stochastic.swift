extension Policies {
  /// Policies that learn from rewards whose distributions do not change.
  static let stochastic: [PolicyEntry] = []
}
