extension Policies {
  /// Policies for rewards that somebody may choose against them.
  static let adversarial: [PolicyEntry] = []
}
