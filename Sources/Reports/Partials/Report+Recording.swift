package import Replay

extension Report {
  /// Returns the states of the pass over units that a source records; nil if the report needs no further one.
  ///
  /// - Throws: ``ReportError``, and errors of reading the log.
  package func recordedPass(of source: ReportSource) throws -> StatePass? {
    do {
      _ = try result(of: source)
      return nil
    } catch StateExchange.End.recorded(let pass) {
      return pass
    }
  }
}
