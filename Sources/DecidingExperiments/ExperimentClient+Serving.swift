internal import DecidingCore
package import Events
internal import Threads

/// For a host that serves many users, each request with its own context.
extension ExperimentClient {
  /// Calls the closure with exclusive access to the state. Until it returns, targeting also sees the data, which are
  /// neither kept nor logged.
  func perform<Answer: Sendable>(
    for userID: String, seeing data: [any VisitorData],
    _ body: (inout Transaction<ExperimentsState>) throws(ExperimentError) -> Answer
  ) throws(ExperimentError) -> Answer {
    guard !data.isEmpty else { return try recorder.perform(body) }
    return try recorder.perform { transaction throws(ExperimentError) in
      let (unit, now) = (UnitID(userID), transaction.now)
      let events = data.flatMap { datum in
        datum.payloads.map { Event(time: now, unit: unit, payload: $0) }
      }
      buffer.withLock { $0.passing = events }
      defer { buffer.withLock { $0.passing = [] } }
      return try body(&transaction)
    }
  }

  /// The keys of the flags of the configuration in use, in the order of their ids; none before there is one.
  package var flagKeys: [String] {
    recorder.read { $0.sites[TextKey(siteCode)]?.parts.flags.map(\.key.rawValue) ?? [] }
  }

  /// The ids of the experiments of the configuration in use; none before there is one.
  package var experimentIDs: [ExperimentID] {
    recorder.read { $0.sites[TextKey(siteCode)]?.configuration.experiments.map(\.id) ?? [] }
  }

  /// Returns the variations of a flag, ascending, with their variables; none if there is no such flag.
  package func variables(
    ofFlag key: String
  ) -> [(variation: VariationID, variables: [TextKey: FlagVariable])] {
    recorder.read { state in
      let flag = state.sites[TextKey(siteCode)]?.parts.flag(ExperimentID(key))
      return flag?.variables.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } ?? []
    }
  }

  /// Returns the variations of an experiment, in the order of their ids; none if there is no such experiment.
  package func variations(ofExperiment id: ExperimentID) -> [VariationID] {
    recorder.read { state in
      state.sites[TextKey(siteCode)]?.plan(of: id)?.experiment.variations.map(\.id) ?? []
    }
  }
}
