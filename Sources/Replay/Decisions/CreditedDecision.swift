/// A counted decision with what was logged with it and the reward credited to it: the one record of a decision that
/// evaluations, learners, environments and adaptive estimates read.
package struct CreditedDecision: Sendable, Equatable, BitwiseCopyable {
  /// The time of the decision, in microseconds.
  package var time: Int64
  /// The probability with which the variant was chosen; NaN if it was not logged.
  package var propensity: Double
  /// The reward credited to the decision, rounded once.
  package var reward: Double
  /// The code of the unit.
  package var unit: UInt32
  /// The index of the decision in the history of its unit.
  package var index: UInt32
  /// The number of the place: experiment, point and slot.
  package var place: UInt32
  /// The code of the chosen variant.
  package var variant: UInt32
  /// The index of the value in the dimension, in an evaluation the logging policy; 0 if it is unknown or not needed.
  package var value: UInt32
  /// The index of the situation in the context of the units; 0 if it is not needed.
  package var situation: UInt32
  private var listed = UInt32.max
  private var wholeBits: UInt32 = 0

  /// Creates a decision.
  package init(
    unit: UInt32 = 0, index: Int, place: UInt32, variant: UInt32, situation: UInt32 = 0,
    probabilities: UInt32? = nil, propensity: Double, reward: Double, time: Int64 = 0,
    value: UInt32 = 0, whole: Int = 0
  ) {
    (self.unit, self.index) = (unit, UInt32(truncatingIfNeeded: index))
    (self.place, self.variant, self.value) = (place, variant, value)
    (self.time, self.propensity, self.reward) = (time, propensity, reward)
    self.situation = situation
    self.probabilities = probabilities
    self.whole = whole
  }

  /// The index of the logged probabilities in the context; nil if there are none.
  @inline(__always)
  package var probabilities: UInt32? {
    get { listed == .max ? nil : listed }
    set { listed = newValue ?? .max }
  }

  /// The number of the whole decision among those of the unit: decisions in a row at the same point and time, each in
  /// another slot.
  package var whole: Int {
    get { Int(wholeBits >> 1) }
    set { wholeBits = UInt32(truncatingIfNeeded: newValue) << 1 | wholeBits & 1 }
  }

  /// Whether a decision of the same whole decision was left out.
  package var isIncomplete: Bool {
    get { wholeBits & 1 == 1 }
    set { wholeBits = wholeBits & ~1 | (newValue ? 1 : 0) }
  }
}
