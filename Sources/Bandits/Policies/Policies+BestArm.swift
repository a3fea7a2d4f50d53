extension Policies {
  /// Policies that look for the best variant.
  static let bestArm: [PolicyEntry] = []
}
