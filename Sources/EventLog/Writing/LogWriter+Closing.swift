extension LogWriter {
  /// Stands in until the branch service-log is merged.
  public func close() {
    commits.look { state in
      state.failure = state.failure ?? LogError(.poisoned, "it was closed", path: state.path)
      state.lock = nil
    }
  }
}
