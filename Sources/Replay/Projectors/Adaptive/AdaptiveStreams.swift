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
  /// How often the variant was chosen against its probabilities.
  public var choices: ChoiceBalance
}

/// How often a variant was chosen, and how often its probabilities say, over the decisions that could choose it.
public struct ChoiceBalance: Sendable, Equatable {
  /// The decisions that chose it.
  public private(set) var chosen = 0
  /// The sum of its probabilities p.
  public private(set) var expected = 0.0
  /// The variance of the number of decisions that choose it, if the probabilities are right: the sum of p·(1 − p).
  public private(set) var variance = 0.0

  /// Adds a decision that had a probability for the variant.
  mutating func add(_ probability: Double, isChosen: Bool) {
    if isChosen { chosen += 1 }
    expected += probability
    variance += probability * (1 - probability)
  }
}

/// The decisions of a log in order, with rewards and probabilities.
public struct AdaptiveStreams: Sendable {
  /// A stream for every place with a counted decision, sorted by code.
  public let streams: [AdaptiveStream]
  /// The counts of what was read and what was excluded.
  public let ledger: RewardLedger

  private let decisions: CreditedDecisions
  /// By stream, the group of its decisions.
  private let groups: [CreditedDecisions.Group]
  private let jobs: Int
  private let probabilities: ProbabilityRegister

  /// Puts the decisions of a state in order.
  ///
  /// - Throws: `LogError` if a temporary file failed.
  init(
    _ state: consuming CreditedDecisionProjector.State, _ context: UnitContext, jobs: Int
  ) throws {
    self.jobs = jobs
    ledger = state.units.ledger
    probabilities = context.probabilities
    let (groups, empty) = Self.group(state.units, context)
    let decisions = try CreditedDecisions(state.pile, jobs: jobs)
    (self.groups, self.decisions) = (groups, decisions)
    streams = try Workers.map(groups.count, jobs: jobs) { number in
      var stream = empty[number]
      try decisions.forEach(of: groups[number]) { stream.count($0) }
      return stream
    }
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
  /// - Throws: `LogError` if a temporary file cannot be read back.
  /// - Complexity: O(variants + choices of all decisions), sequential; 11 KB per variant.
  public func estimates(
    of stream: AdaptiveStream, _ weighting: AdaptiveWeighting, baseline: Int? = nil
  ) throws -> [AdaptiveEstimate]? {
    guard stream.withoutProbabilities == 0, stream.withWrongProbabilities == 0 else { return nil }
    var run = AdaptiveRun(stream.variants.map(\.code), weighting, baseline: baseline)
    try decisions.forEach(of: groups[stream.number]) { run.take($0, probabilities) }
    return run.estimates
  }

  /// Returns the estimates of every stream, from several threads.
  ///
  /// - Parameter plan: Returns the weighting and the baseline of a stream, see ``estimates(of:_:baseline:)``.
  /// - Returns: The estimates for the variants of each of the ``streams``; nil if probabilities are missing or invalid.
  /// - Throws: `LogError` if a temporary file cannot be read back.
  public func estimates(
    _ plan: @Sendable (AdaptiveStream) -> (weighting: AdaptiveWeighting, baseline: Int?)
  ) throws -> [[AdaptiveEstimate]?] {
    try Workers.map(streams.count, jobs: jobs) { number in
      let (weighting, baseline) = plan(streams[number])
      return try estimates(of: streams[number], weighting, baseline: baseline)
    }
  }
}

extension AdaptiveStreams {
  /// Returns the groups of decisions with their streams, in order of these.
  private static func group(
    _ units: RewardedUnits, _ context: UnitContext
  ) -> (groups: [CreditedDecisions.Group], streams: [AdaptiveStream]) {
    let table = units.table
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
    var (groups, streams): ([CreditedDecisions.Group], [AdaptiveStream]) = ([], [])
    for (segment, arm, value, _) in segments {
      let group = CreditedDecisions.Group(place: units.place(of: arm), value: value)
      var place = context.arms[Int(arm)]
      let variant = place.variant
      if groups.last != group {
        place.variant = 0
        streams.append(
          AdaptiveStream(place: place, value: context.values[Int(value)], number: streams.count))
        groups.append(group)
      }
      streams[streams.count - 1].variants.append(
        AdaptiveStream.Variant(code: variant, rewards: table.tallies[segment].perDecision))
    }
    return (groups, streams)
  }
}

extension AdaptiveStream {
  /// Counts a decision, and its missing or invalid probabilities.
  fileprivate mutating func count(_ decision: CreditedDecision) {
    decisions += 1
    switch decision.probabilities {
    case nil: withoutProbabilities += 1
    case ProbabilityRegister.wrong: withWrongProbabilities += 1
    default: break
    }
  }
}
