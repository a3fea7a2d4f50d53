internal import Replay
internal import Statistics

/// The search for a metric to ask for where the metrics of a comparison do not vary.
enum VaryingMetrics {
  /// Returns whether a metric has the same value for all units of a variant.
  static func areNeeded(_ tallies: MetricTallies) -> Bool {
    tallies.segments.values.contains { list in
      list.units > 1
        && list.metrics.contains { $0.ratio == nil && $0.moments.variance.map { $0 == 0 } ?? false }
    }
  }

  /// The metrics to try, without those already compared; the most useful one first.
  static func candidates(besides metrics: [Metric]) -> [Metric] {
    let all: [Metric.Count] = [.converted, .revenue, .conversions, .goals, .reward]
    return all.map { Metric($0) }.filter { !metrics.contains($0) }
  }

  /// Returns the metrics that vary in every variant of a place, by place (an arm with variant 0).
  static func varying(_ tallies: MetricTallies, _ metrics: [Metric]) -> [Arm: [Metric]] {
    var still: [Arm: Set<Int>] = [:]
    for (segment, list) in tallies.segments {
      var place = segment.arm
      place.variant = 0
      let own = metrics.indices.filter { (list.metrics[$0].moments.variance ?? 0) == 0 }
      still[place, default: []].formUnion(own)
    }
    return still.mapValues { still in
      metrics.indices.filter { !still.contains($0) }.map { metrics[$0] }
    }
  }
}
