internal import Statistics

extension Mixture {
  /// The learning states of the experts for the unit, and the weight of each.
  public struct Learning: OptionLearning {
    /// The learning rate of the weights.
    public let rate: Double
    /// The part of its weight that each expert shares with all.
    public let share: Double
    /// The part of each expert's confidence that is uniform over options.
    public let floor: Double
    /// The learning state of each expert.
    private(set) var experts: [Predictor.Learning]
    /// The logarithm of each expert's weight, the highest of them 0; the weight itself could underflow.
    private var logWeights: [Double]

    init(rate: Double, share: Double, floor: Double, experts: [Predictor.Learning]) {
      (self.rate, self.share, self.floor) = (rate, share, floor)
      self.experts = experts
      logWeights = experts.map { _ in 0 }
    }

    public var optionCount: Int { experts.first?.optionCount ?? 0 }

    public var isSound: Bool {
      !experts.isEmpty && logWeights.count == experts.count
        && experts.allSatisfy { $0.isSound && $0.optionCount == optionCount }
        && logWeights.allSatisfy { $0.isFinite && $0 <= 0 } && logWeights.contains(0)
    }

    /// The weight of each expert; they sum to 1.
    public var weights: [Double] {
      var weights = logWeights
      weights.makeWeights()
      return weights
    }

    /// Applies a change; the weights are equal again when the study starts anew.
    public mutating func apply(_ change: OptionChange, at time: Int64?) {
      for expert in experts.indices { experts[expert].apply(change, at: time) }
      guard change.startsAnew(leaving: optionCount) else { return }
      logWeights.change { $0 = 0 }
    }

    /// Learns a take: the experts are weighted by their shares of the option taken, and learn.
    public mutating func take(_ option: Int, in situation: Situation, pool: inout ExpertPools) {
      guard option >= 0, option < optionCount else { return }
      weigh(option, in: situation, pool)
      for expert in experts.indices {
        pool.take(option, in: situation, &experts[expert], of: expert)
      }
    }

    /// The forecast is blind if those of all experts are.
    public func forecast(
      into confidences: inout [Double], in situation: Situation, pool: ExpertPools
    ) -> Bool {
      confidences.refill(optionCount) { _ in 0 }
      var (isBlind, shares) = (true, [Double]())
      for (expert, weight) in weights.enumerated() {
        if !predict(&shares, by: expert, in: situation, pool) { isBlind = false }
        for option in confidences.indices where option < shares.count {
          confidences[option] += weight * shares[option]
        }
      }
      // Rounding can make the sum exceed 1 slightly.
      confidences.change { $0 = min($0, 1) }
      return isBlind
    }

    /// Writes an expert's confidences, normalised to sum to 1 with none below the floor.
    ///
    /// - Returns: Whether the forecast is blind.
    private func predict(
      _ shares: inout [Double], by expert: Int, in situation: Situation, _ pool: ExpertPools
    ) -> Bool {
      let isBlind = pool.forecast(into: &shares, in: situation, experts[expert], of: expert)
      let sum = shares.reduce(0, +)
      let equal = 1 / Double(shares.count)
      shares.change { $0 = (1 - floor) * (sum > 0 ? $0 / sum : equal) + floor * equal }
      return isBlind
    }

    private mutating func weigh(_ option: Int, in situation: Situation, _ pool: ExpertPools) {
      var shares: [Double] = []
      for expert in experts.indices {
        _ = predict(&shares, by: expert, in: situation, pool)
        if option < shares.count { logWeights[expert] += rate * .log(shares[option]) }
      }
      beginAtZero()
      guard share > 0 else { return }
      let weights = weights
      for expert in experts.indices {
        let weight = (1 - share) * weights[expert] + share / Double(experts.count)
        logWeights[expert] = .log(max(weight, .leastNormalMagnitude))
      }
      beginAtZero()
    }

    /// Shifts all logarithms so that the highest is 0.
    private mutating func beginAtZero() {
      let highest = logWeights.max() ?? 0
      logWeights.change { $0 -= highest }
    }
  }
}
