extension Policies {
  /// Policies that wrap other policies.
  static let wrappers = [PolicyEntry(Conservative.self), PolicyEntry(Floor.self)]
}
