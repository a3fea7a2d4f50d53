extension Policies {
  /// Policies that are made of other policies.
  static let wrappers = [PolicyEntry(Conservative.self), PolicyEntry(Floor.self)]
}
