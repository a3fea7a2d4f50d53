public import Statistics

/// The decisions of an experiment at a point and for a slot, within a value of the dimension.
public struct AdaptiveStream: Sendable, Equatable {
  /// A variant that was chosen.
  public struct Variant: Sendable, Equatable {
    /// Its code.
    public var code: UInt32
    /// The rewards of the decisions that chose it, for the plain mean.
    public var rewards: Moments
  }

  /// Experiment, point and slot; the variant is 0.
  public var place: Arm
  /// The value of the dimension; unknown when nothing is broken down.
  public var value: DimensionValue
  /// The variants, by ascending codes.
  public var variants: [Variant] = []
  /// How many decisions there are.
  public var decisions: Int { rows.count }
  /// How many of them were logged without probabilities, or without choices.
  public var withoutProbabilities = 0
  /// How many have probabilities that cannot be right: not between 0 and 1, not 1 in sum, or none above zero for the variant
  /// that was chosen.
  public var withWrongProbabilities = 0
  /// Where the decisions stand among all.
  var rows = 0..<0
}

/// What the decisions of a stream say of a variant.
public struct AdaptiveEstimate: Sendable, Equatable {
  /// Its mean reward.
  public var mean: AdaptivelyWeightedMean
  /// Its mean less that of the baseline; nil of the baseline itself and without one.
  public var contrast: AdaptivelyWeightedContrast?
}

/// The decisions of a log in their order, with rewards and probabilities.
public struct AdaptiveStreams: Sendable {
  /// A stream for every place with a counted decision, by ascending codes.
  public let streams: [AdaptiveStream]
  /// What was read, and what of it did not count.
  public let ledger: RewardLedger

  /// In the order of the streams, and within each in that of the decisions.
  private let rows: [AdaptiveProjector.Row]
  private let probabilities: ProbabilityRegister
  /// By segment of the rows: the number of its variant in its stream.
  private let variants: [Int]

  init(_ state: consuming AdaptiveProjector.State, _ context: UnitContext) {
    ledger = state.units.ledger
    probabilities = context.probabilities
    var grouping = Grouping(state, context)
    // Taken out, so that there is one copy to sort.
    var rows = state.rows
    state.rows = []
    let numbers = grouping.numbers
    rows.sort { a, b in
      (numbers[Int(a.segment)], a.time, a.unit, a.index)
        < (numbers[Int(b.segment)], b.time, b.unit, b.index)
    }
    grouping.count(rows)
    streams = grouping.streams
    variants = grouping.variants
    self.rows = rows
  }

  /// The mean rewards of the variants of a stream.
  ///
  /// Every decision must have probabilities that can be right; a variant that was not among the choices of a decision had the
  /// probability 0 there.
  ///
  /// - Parameters:
  ///   - stream: One of ``streams``.
  ///   - weighting: How much each decision counts.
  ///   - baseline: The number of the variant, among those of the stream, that others are compared with; nil for none.
  /// - Returns: An estimate for each variant of the stream; nil where probabilities are missing or wrong.
  /// - Complexity: O(decisions × (variants + choices)), one after the other; 8 KB for each variant.
  public func estimates(
    of stream: AdaptiveStream, _ weighting: AdaptiveWeighting, baseline: Int? = nil
  ) -> [AdaptiveEstimate]? {
    guard stream.withoutProbabilities == 0, stream.withWrongProbabilities == 0 else { return nil }
    var run = AdaptiveRun(stream.variants.map(\.code), weighting, baseline: baseline)
    for row in rows[stream.rows] {
      run.take(
        row.reward, chosen: variants[Int(row.segment)], row.probabilities, of: probabilities)
    }
    return run.estimates
  }
}

extension AdaptiveStreams {
  /// Which stream and which of its variants each segment is.
  private struct Grouping {
    var streams: [AdaptiveStream] = []
    /// By segment.
    var numbers: [Int]
    var variants: [Int]

    init(_ state: borrowing AdaptiveProjector.State, _ context: UnitContext) {
      let (units, table) = (state.units, state.segments)
      numbers = Array(repeating: 0, count: table.count)
      variants = numbers
      let segments = (0..<table.count).map { segment in
        let (arm, value) = table.segment(at: segment)
        return (segment, arm: arm, value: value, name: context.values[Int(value)].text ?? "")
      }.sorted { a, b in
        let (first, second) = (context.arms[Int(a.arm)], context.arms[Int(b.arm)])
        let places = [(first.experiment, second.experiment), (first.point, second.point)]
        for (mine, other) in places + [(first.slot, second.slot)] where mine != other {
          return mine < other
        }
        return (a.name, a.value, first.variant) < (b.name, b.value, second.variant)
      }
      var last: (place: UInt32, value: UInt32)?
      for (segment, arm, value, _) in segments {
        let place = units.place(of: arm)
        if last?.place != place || last?.value != value {
          var name = context.arms[Int(arm)]
          name.variant = 0
          streams.append(AdaptiveStream(place: name, value: context.values[Int(value)]))
          last = (place, value)
        }
        numbers[segment] = streams.count - 1
        variants[segment] = streams[streams.count - 1].variants.count
        streams[streams.count - 1].variants.append(
          AdaptiveStream.Variant(
            code: context.arms[Int(arm)].variant,
            rewards: units.table.find(arm, value)?.perDecision ?? Moments()))
      }
    }

    /// Finds where each stream begins and ends, and what it lacks.
    mutating func count(_ rows: [AdaptiveProjector.Row]) {
      var start = 0
      for (index, row) in rows.enumerated() {
        let number = numbers[Int(row.segment)]
        if streams[number].rows.isEmpty { start = index }
        streams[number].rows = start..<index + 1
        if row.probabilities == AdaptiveProjector.Row.unknown {
          streams[number].withoutProbabilities += 1
        } else if row.probabilities == ProbabilityRegister.wrong {
          streams[number].withWrongProbabilities += 1
        }
      }
    }
  }
}
