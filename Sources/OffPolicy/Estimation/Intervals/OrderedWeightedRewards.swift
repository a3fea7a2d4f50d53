public import Specifications
public import Statistics

/// The weight and the reward of every decision, for ``OffPolicySequence``.
public struct OrderedWeightedRewards: IntervalState {
  /// A decision.
  struct Entry: Sendable, Equatable {
    var time: Int64
    var key: UInt64
    var weight: Double
    var reward: Double

    /// Whether it is before another one; a total order, so that parts merge in any order to the same.
    func isBefore(_ other: Entry) -> Bool {
      if time != other.time { return time < other.time }
      if key != other.key { return key < other.key }
      return weight != other.weight ? weight < other.weight : reward < other.reward
    }
  }

  private let method: OffPolicySequence
  private var entries: [Entry] = []
  private var isInOrder = true
  private var isInRange = true
  /// Whether a unit has several decisions, or several were added at once.
  private var hasRepeats = false

  init(_ method: OffPolicySequence) { self.method = method }

  /// Whether there is an interval, whatever comes.
  private var isUsable: Bool { isInRange && !hasRepeats }

  private var ordered: [Entry] { isInOrder ? entries : entries.sorted { $0.isBefore($1) } }

  public static func == (a: OrderedWeightedRewards, b: OrderedWeightedRewards) -> Bool {
    a.isInRange == b.isInRange && a.hasRepeats == b.hasRepeats
      && a.method.specification == b.method.specification && a.ordered == b.ordered
  }

  public mutating func add(unit decisions: Span<LoggedDecision>, times: Int, key: UInt64) {
    hasRepeats = hasRepeats || decisions.count > 1 || times > 1
    for index in decisions.indices {
      let reward = decisions[index].reward
      isInRange = isInRange && method.leastReward <= reward && reward <= method.greatestReward
      guard isUsable else {
        entries = []
        continue
      }
      // Both zeros are the same.
      append(
        Entry(
          time: decisions[index].time, key: key, weight: decisions[index].weight + 0,
          reward: reward + 0))
    }
  }

  private mutating func append(_ entry: Entry) {
    isInOrder = isInOrder && !(entries.last.map { entry.isBefore($0) } ?? false)
    entries.append(entry)
  }

  public mutating func merge(_ other: OrderedWeightedRewards) {
    isInRange = isInRange && other.isInRange
    hasRepeats = hasRepeats || other.hasRepeats
    guard isUsable else { return entries = [] }
    isInOrder = entries.isEmpty ? other.isInOrder : other.entries.isEmpty && isInOrder
    entries += other.entries
  }

  public func write(to writer: inout StateWriter) {
    writer.write(byte: (isInRange ? 0 : 1) | (hasRepeats ? 2 : 0))
    writer.write(tally: entries.count)
    for entry in ordered {
      writer.write(signed: entry.time)
      writer.write(entry.key)
      writer.write(entry.weight)
      writer.write(entry.reward)
    }
  }

  public mutating func read(from reader: inout StateReader) throws(StateError) {
    let flags = try reader.readByte()
    (isInRange, hasRepeats) = (flags & 1 == 0, flags & 2 != 0)
    isInOrder = true
    entries = []
    for _ in 0..<(try reader.readTally()) {
      append(
        Entry(
          time: try reader.readSigned(), key: try reader.read(), weight: try reader.readDouble(),
          reward: try reader.readDouble()))
    }
  }

  /// Returns the interval; nil without decisions, if a unit has several decisions or several were added at once, or if
  /// a reward was outside of its range.
  ///
  /// - Complexity: O(n log n) for n decisions.
  public func interval(of sums: OffPolicySums, level: Double) -> Interval? {
    precondition(level > 0 && level < 1, "a confidence level is between 0 and 1")
    guard isUsable, !entries.isEmpty else { return nil }
    return method.interval(of: ordered, level: level)
  }
}
