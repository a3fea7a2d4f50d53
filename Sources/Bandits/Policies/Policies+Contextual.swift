extension Policies {
  /// Contextual policies.
  static let contextual: [PolicyEntry] = [
    PolicyEntry(LinearEpsilonGreedy.self), PolicyEntry(LinUCB.self),
    PolicyEntry(LinUCBHybrid.self), PolicyEntry(LinTS.self), PolicyEntry(LogisticThompson.self),
    PolicyEntry(SquareCB.self), PolicyEntry(RegCB.self), PolicyEntry(Cover.self),
    PolicyEntry(KNearest.self), PolicyEntry(PartitionTree.self),
  ]
}
