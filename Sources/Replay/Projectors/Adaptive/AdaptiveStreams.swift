internal import EventLog
internal import Specifications
public import Statistics
internal import Threads

/// The decisions of an experiment at one point and slot, for one value of the dimension.
public struct AdaptiveStream: Sendable, Equatable {
  /// A variant that was chosen at least once.
  public struct Variant: Sendable, Equatable {
    /// The code of the variant.
    public var code: UInt32
    /// The rewards of the decisions that chose the variant, for the plain mean.
    public var rewards: Moments
  }

  /// Experiment, point and slot; the variant is 0.
  public var place: Arm
  /// The value of the dimension; unknown without a breakdown.
  public var value: DimensionValue
  /// The variants, sorted by code.
  public var variants: [Variant] = []
  /// The number of decisions.
  public internal(set) var decisions = 0
  /// The number of decisions logged without probabilities or without choices.
  public var withoutProbabilities = 0
  /// The number of decisions with invalid probabilities: not between 0 and 1, not summing to 1, or not above zero for
  /// the chosen variant.
  public var withWrongProbabilities = 0
  /// The index among the ``AdaptiveStreams/streams``.
  public let number: Int
}

/// The estimates for a variant of a stream.
public struct AdaptiveEstimate: Sendable, Equatable {
  /// The mean reward of the variant.
  public var mean: AdaptivelyWeightedMean
  /// The mean reward minus that of the baseline; nil for the baseline itself and without a baseline.
  public var contrast: AdaptivelyWeightedContrast?
}

/// The decisions of a log in order, with rewards and probabilities.
public struct AdaptiveStreams: Sendable {
  /// A stream for every place with a counted decision, sorted by code.
  public let streams: [AdaptiveStream]
  /// The counts of what was read and what was excluded.
  public let ledger: RewardLedger

  /// By stream, the decisions in order.
  private let rows: [[AdaptiveProjector.Row]]
  private let jobs: Int
  private let probabilities: ProbabilityRegister
  /// By segment of the rows, the number of the variant in its stream.
  private let variants: [Int]

  /// Puts the decisions of a state in order.
  ///
  /// - Throws: Nothing but what threads throw.
  init(_ state: consuming AdaptiveProjector.State, _ context: UnitContext, jobs: Int) throws {
    self.jobs = jobs
    ledger = state.units.ledger
    probabilities = context.probabilities
    var grouping = Grouping(state, context)
    let parts = grouping.divide(state.rows)
    state.rows = []
    let hashes = context.hashes
    rows = try Workers.map(parts.count, jobs: jobs) { stream in
      parts[stream].sorted { a, b in
        if a.time != b.time { return a.time < b.time }
        guard a.unit != b.unit else { return a.index < b.index }
        return hashes.order(of: a.unit) < hashes.order(of: b.unit)
      }
    }
    streams = grouping.streams
    variants = grouping.variants
  }

  /// Returns the estimated mean rewards of the variants of a stream.
  ///
  /// Every decision must have valid probabilities; a variant that was not among the choices of a decision had
  /// probability 0 there, and its mean is over the others.
  ///
  /// - Parameters:
  ///   - stream: One of ``streams``.
  ///   - weighting: The weighting of the decisions.
  ///   - baseline: The number, within the stream, of the variant that others are compared with; nil for none.
  /// - Returns: An estimate for each variant of the stream; nil if probabilities are missing or invalid.
  /// - Complexity: O(variants + choices of all decisions), sequential; 11 KB per variant.
  public func estimates(
    of stream: AdaptiveStream, _ weighting: AdaptiveWeighting, baseline: Int? = nil
  ) -> [AdaptiveEstimate]? {
    guard stream.withoutProbabilities == 0, stream.withWrongProbabilities == 0 else { return nil }
    var run = AdaptiveRun(stream.variants.map(\.code), weighting, baseline: baseline)
    for row in rows[stream.number] {
      run.take(
        row.reward, chosen: variants[Int(row.segment)], row.probabilities, of: probabilities)
    }
    return run.estimates
  }

  /// Returns the estimates of every stream, from several threads.
  ///
  /// - Parameter plan: Returns the weighting and the baseline of a stream, see ``estimates(of:_:baseline:)``.
  /// - Returns: The estimates for the variants of each of the ``streams``; nil if probabilities are missing or invalid.
  /// - Throws: Nothing but what threads throw.
  public func estimates(
    _ plan: @Sendable (AdaptiveStream) -> (weighting: AdaptiveWeighting, baseline: Int?)
  ) throws -> [[AdaptiveEstimate]?] {
    try Workers.map(streams.count, jobs: jobs) { number in
      let (weighting, baseline) = plan(streams[number])
      return estimates(of: streams[number], weighting, baseline: baseline)
    }
  }
}

extension AdaptiveStreams {
  /// The stream and the variant of each segment.
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
        return (
          segment, arm: arm, value: value, name: NameKey(context.values[Int(value)].text ?? "")
        )
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
          streams.append(
            AdaptiveStream(
              place: name, value: context.values[Int(value)], number: streams.count))
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

    /// Returns the decisions of each stream, and counts them and their missing and invalid probabilities.
    mutating func divide(_ rows: [AdaptiveProjector.Row]) -> [[AdaptiveProjector.Row]] {
      for row in rows {
        let number = numbers[Int(row.segment)]
        streams[number].decisions += 1
        if row.probabilities == AdaptiveProjector.Row.unknown {
          streams[number].withoutProbabilities += 1
        } else if row.probabilities == ProbabilityRegister.wrong {
          streams[number].withWrongProbabilities += 1
        }
      }
      var parts = streams.map { stream in
        var part: [AdaptiveProjector.Row] = []
        part.reserveCapacity(stream.decisions)
        return part
      }
      for row in rows { parts[numbers[Int(row.segment)]].append(row) }
      return parts
    }
  }
}
