extension MetricProjector {
  /// The projector of the values of which percentiles are caps, to be run before this one; nil if no metric has such a
  /// cap. It takes 8 bytes per unit and such a metric.
  package var withoutCaps: MetricProjector? {
    guard metrics.contains(where: { $0.cap?.isPercentile ?? false }) else { return nil }
    var own = self
    (own.findsCaps, own.cap, own.covariatePeriod, own.bootstrap) = (true, nil, nil, nil)
    (own.countsDays, own.readsProbabilities) = (false, false)
    return own
  }

  /// Sets the caps at percentiles of the values of all units of an experiment, at each point and slot, those of 0 too:
  /// as ``ConversionProjector`` does.
  ///
  /// - Parameter tallies: The result of ``withoutCaps``.
  package mutating func setCaps(of tallies: MetricTallies) {
    var values: [UInt32: [[Double]]] = [:]
    for (segment, list) in tallies.segments {
      for (index, tally) in list.metrics.enumerated() {
        values[segment.arm.experiment, default: metrics.map { _ in [] }][index] += tally.values ?? []
      }
    }
    caps = values.mapValues { values in
      zip(metrics, values).map { metric, values in
        metric.cap.flatMap { $0.isPercentile ? $0.limit(of: values, count: values.count) : nil }
      }
    }
  }
}
