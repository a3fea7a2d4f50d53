extension LogWriter {
  /// The error because of which the writer accepts no more events; nil if it accepts them.
  package var failure: LogError? { commits.settled { $0.failure } }
}
