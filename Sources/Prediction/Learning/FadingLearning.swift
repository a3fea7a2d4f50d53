/// The learning state of a predictor whose counts lose weight with age.
protocol FadingLearning: UnitLearning {
  /// The weights of each option.
  var shares: [FadingShare] { get set }
  /// The encounters of the study.
  var encounters: Double { get set }
  /// Advances the study to the time of an event, and returns the weight of the event.
  mutating func arrive(_ time: Int64?) -> Double
  /// Advances the study to a take, and returns the weight of the take; by default that of any event at the time.
  mutating func arriveByTake(_ time: Int64?) -> Double
  /// Makes the next event the first one.
  mutating func forgetAge()
}

/// The weighted counts of one option.
struct FadingShare: Hashable, Sendable, Codable {
  var takes: Double
  /// Encounters of this option beyond those of the study, since its counts were set.
  var surplus: Double
}

extension FadingLearning {
  public var optionCount: Int { shares.count }

  @inline(__always)
  mutating func arriveByTake(_ time: Int64?) -> Double { arrive(time) }

  @inline(__always)
  public mutating func take(_ option: Int, at time: Int64?) {
    guard shares.indices.contains(option) else { return }
    let weight = arriveByTake(time)
    encounters += weight
    shares[option].takes += weight
  }

  /// Applies a change; new counts are dated at the time.
  public mutating func apply(_ change: OptionChange, at time: Int64?) {
    switch change {
    case .define(let takes, let encounters):
      clear()
      for count in takes { shares.append(FadingShare(takes: Double(max(0, count)), surplus: 0)) }
      apply(.raise(by: encounters), at: time)
    case .add(let takes, let encounters):
      shares.append(FadingShare(takes: 0, surplus: 0))
      apply(.revise(shares.count - 1, takes: takes, encounters: encounters), at: time)
    case .revise(let option, let takes, let encounters):
      guard shares.indices.contains(option) else { return }
      let weight = arrive(time)
      shares[option] = FadingShare(
        takes: Double(max(0, takes)) * weight,
        surplus: Double(max(0, encounters)) * weight - self.encounters)
    case .raise(let encounters):
      guard !shares.isEmpty else { return }
      self.encounters += arrive(time) * Double(max(0, encounters))
    case .remove:
      if let option = change.removal(from: shares.count) { shares.remove(at: option) }
      if shares.isEmpty { clear() }
    }
  }

  /// Multiplies all weights.
  mutating func scale(by factor: Double) {
    encounters *= factor
    for option in shares.indices {
      shares[option].takes *= factor
      shares[option].surplus *= factor
    }
  }

  private mutating func clear() {
    shares.removeAll(keepingCapacity: true)
    encounters = 0
    forgetAge()
  }
}
