internal import Replay

extension ReportSource {
  /// What computations share that are made ``together(_:_:)``; nil if each makes its own passes.
  var sharedReplay: SharedReplay? {
    guard case .log(let replay, _) = origin else { return nil }
    return SharedReplay(replay)
  }

  /// Returns the results of several computations, which share passes over the log.
  ///
  /// - Parameters:
  ///   - shared: What they share; nil to make one after the other.
  ///   - bodies: The computations. Each receives this source, and may be called several times.
  /// - Returns: The results in the order of the computations.
  /// - Throws: The error of the first computation that has one.
  func together<Result>(
    _ shared: SharedReplay?, _ bodies: [(ReportSource) throws -> Result]
  ) throws -> [Result] {
    try SharedReplay.results(
      shared,
      bodies.map { body in
        { computation in
          guard let computation else { return try body(self) }
          var source = self
          source.computation = computation
          source.message = { computation.say($0) }
          return try body(source)
        }
      }, saying: say)
  }
}
