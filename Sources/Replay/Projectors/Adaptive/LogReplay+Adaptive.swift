internal import EventLog

extension LogReplay {
  /// Returns the counted decisions of every experiment, point and slot in order, each with its reward and the
  /// probabilities of its choices: the input for estimating the mean rewards of variants where a policy learned from
  /// rewards (``AdaptiveStreams/estimates(of:_:baseline:)``).
  ///
  /// Decisions are in order of event time, a provisional one at its confirmation; at equal times in the order of the
  /// hashes of their units' names, and within a unit in the order of its history. Late events and units in another
  /// order therefore give the same result. Rewards are those of ``RewardProjector``.
  ///
  /// Memory: 56 bytes per counted decision, up to an eighth of ``memoryLimit`` and beyond it in temporary files, plus
  /// 8 bytes per choice and 28 more per decision whose probabilities differ from all others. The events of units take
  /// 32 bytes each as always, and 32 more per decision with probabilities.
  ///
  /// - Parameters:
  ///   - selection: The part of the log to read.
  ///   - attribution: How goals are credited.
  /// - Returns: A stream for every place with a counted decision, and for every value of the dimension there.
  /// - Throws: `LogError` if a frame cannot be read or a temporary file fails.
  public func adaptiveStreams(
    _ selection: UnitSelection, _ attribution: Attribution = Attribution()
  ) throws -> AdaptiveStreams {
    try LogUnits(self, selection).adaptiveStreams(attribution)
  }
}

extension UnitSource {
  /// Returns the counted decisions of the units, like those of a log: ``LogReplay/adaptiveStreams(_:_:)``.
  package func adaptiveStreams(_ attribution: Attribution) throws -> AdaptiveStreams {
    let projector = CreditedDecisionProjector(
      attribution, .probabilities, DecisionStorage(self), grouped: true)
    let units = try units(projector.needs)
    return try AdaptiveStreams(show(units, to: projector), units.context, jobs: jobs)
  }
}
