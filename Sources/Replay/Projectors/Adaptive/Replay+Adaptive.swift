internal import EventLog

extension Replay {
  /// The counted decisions of every experiment, point and slot in their order, each with what was credited to it and with the
  /// probabilities that it gave its choices: what the mean rewards of variants are estimated from where a policy learned from
  /// rewards (``AdaptiveStreams/estimates(of:_:baseline:)``).
  ///
  /// Decisions come in the order of event time, a provisional one from its confirmation on; at equal times in the order in which
  /// their units first appear in the log, and those of a unit in their own. So late events give what sorted ones give, as long
  /// as times differ. Rewards are those of ``RewardProjector``.
  ///
  /// Memory: 32 bytes for each counted decision, twice that while threads put theirs together, and 8 bytes for each choice and
  /// 28 more of each decision whose probabilities differ from all others. The events of units take 32 bytes each as always,
  /// with 32 more for each decision with probabilities, up to ``memoryLimit``.
  ///
  /// - Parameters:
  ///   - selection: What of the log is looked at.
  ///   - attribution: How goals are credited.
  /// - Returns: A stream for every place with a counted decision, and for every value of the dimension there.
  /// - Throws: `LogError` when a frame cannot be read or a temporary file fails.
  public func adaptiveStreams(
    _ selection: UnitSelection, _ attribution: Attribution = Attribution()
  ) throws -> AdaptiveStreams {
    let projector = AdaptiveProjector(attribution: attribution)
    let source = LogUnits(self, selection)
    let units = try source.units(projector.needs)
    return AdaptiveStreams(try source.show(units, to: projector), units.context)
  }
}
