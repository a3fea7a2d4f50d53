extension LogWriter {
  /// Stands in until the branch service-log is merged.
  public func close() { commits.look { $0.failure = LogError(.poisoned, "it was closed", path: $0.path) } }
}
