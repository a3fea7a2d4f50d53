internal import EventLog
internal import Replay
internal import Statistics

extension SeriesReport {
  /// The variants of a place and value of the dimension, by the bytes of their names.
  typealias Variants = [(name: String, segment: Segment)]

  /// Returns the variants of each place and value of the dimension.
  static func variants(_ tallies: SeriesTallies, _ names: LogNames) -> [Segment: Variants] {
    var places: [Segment: Variants] = [:]
    for segment in tallies.segments.keys {
      let place = Segment(arm: place(segment.arm), value: segment.value)
      places[place, default: []].append((names.string(segment.arm.variant, in: .variants) ?? "", segment))
    }
    return places.mapValues { $0.sorted { VariantPairs.inBytes($0.name, $1.name) } }
  }

  /// Returns the chance of each variant to be the best of its place after each period in which something happened
  /// there; none before every variant has decisions enough.
  func chances(_ tallies: SeriesTallies, _ places: [Segment: Variants]) -> [Segment: [Int64: Double]] {
    var all: [Segment: [Int64: Double]] = [:]
    for variants in places.values where (2...BestChances.mostVariants).contains(variants.count) {
      let own = variants.map { tallies.segments[$0.segment] ?? [:] }
      var soFar = own.map { _ in Moments() }
      for period in Set(own.flatMap(\.keys)).sorted() {
        for (index, tallies) in own.enumerated() {
          if let tally = tallies[period] { soFar[index].merge(tally.perDecision) }
        }
        let means = soFar.map { $0.count < SeriesContrast.leastDecisions ? nil : SampleMean($0) }
        guard let chances = BestChances.chances(means, attribution.metric.metric.direction) else { continue }
        for (variant, chance) in zip(variants, chances) { all[variant.segment, default: [:]][period] = chance }
      }
    }
    return all
  }
}
