extension Policies {
  /// Policies for rewards that change.
  static let changing: [PolicyEntry] = []
}
