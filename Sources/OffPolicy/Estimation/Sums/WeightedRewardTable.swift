public import Specifications
internal import Statistics

/// The distinct pairs of weight and reward among decisions, with their numbers.
///
/// Beyond a limit, pairs that agree in exponent and the first bits of both significands are replaced by their mean: in
/// as many bits as keep the number within the limit, in steps of four. That depends on the decisions alone, not on
/// their order or on how parts were merged.
public struct WeightedRewardTable: StateField, Equatable {
  /// A pair.
  public struct Pair: Sendable, Equatable {
    /// The weight, or the mean of merged ones.
    public let weight: Double
    /// The reward, or the mean of merged ones.
    public let reward: Double
    /// The number of decisions.
    public let count: Double
  }

  private struct Key: Hashable {
    var weight: UInt64
    var reward: UInt64
  }

  private struct Cell: Equatable {
    var count = 0
    var weight = ExactSum()
    var reward = ExactSum()

    mutating func merge(_ other: Cell) {
      count += other.count
      weight.merge(other.weight)
      reward.merge(other.reward)
    }
  }

  /// The number of pairs above which similar ones are merged.
  public let limit: Int
  /// The number of bits of the significands in which merged pairs agree; 52, all of them, if none were merged.
  public private(set) var bits = 52
  private var cells: [Key: Cell] = [:]

  /// Creates a table without decisions.
  public init(limit: Int) { self.limit = max(1, limit) }

  /// Adds a number of equal decisions.
  public mutating func add(_ decision: LoggedDecision, times: Int) {
    guard times > 0 else { return }
    // Both zeros are the same.
    let exact = Key(
      weight: (decision.weight + 0).bitPattern, reward: (decision.reward + 0).bitPattern)
    var cell = cells[key(exact)] ?? Cell()
    cell.count += times
    cell.weight.add(decision.weight, times: times)
    cell.reward.add(decision.reward, times: times)
    cells[key(exact)] = cell
    coarsen()
  }

  /// Adds all the decisions of another table with the same limit.
  public mutating func merge(_ other: WeightedRewardTable) {
    if other.bits < bits { rekey(other.bits) }
    for (old, cell) in other.cells { cells[key(old), default: Cell()].merge(cell) }
    coarsen()
  }

  /// The pairs, in a fixed order.
  public var pairs: [Pair] {
    cells.sorted { ($0.key.weight, $0.key.reward) < ($1.key.weight, $1.key.reward) }.map {
      Pair(
        weight: ExactSum.quotient($0.value.weight, $0.value.count) ?? 0,
        reward: ExactSum.quotient($0.value.reward, $0.value.count) ?? 0,
        count: Double($0.value.count))
    }
  }

  public func write(to writer: inout StateWriter) {
    writer.write(UInt64(bits))
    writer.write(UInt64(cells.count))
    let order = cells.sorted { ($0.key.weight, $0.key.reward) < ($1.key.weight, $1.key.reward) }
    for (key, cell) in order {
      writer.write(key.weight)
      writer.write(key.reward)
      writer.write(tally: cell.count)
      cell.weight.write(to: &writer)
      cell.reward.write(to: &writer)
    }
  }

  public mutating func read(from reader: inout StateReader) throws(StateError) {
    bits = try reader.readCount(below: 53)
    guard bits % 4 == 0 else { throw StateError("a table has an unknown number of bits") }
    cells = [:]
    for _ in 0..<(try reader.readCount()) {
      let stored = Key(weight: try reader.read(), reward: try reader.read())
      let cell = Cell(
        count: try reader.readTally(), weight: try ExactSum(from: &reader),
        reward: try ExactSum(from: &reader))
      guard key(stored) == stored, cells.updateValue(cell, forKey: stored) == nil else {
        throw StateError("a pair of weight and reward occurs twice")
      }
    }
    coarsen()
  }

  private func key(_ exact: Key) -> Key {
    let mask = UInt64.max << UInt64(52 - bits)
    return Key(weight: exact.weight & mask, reward: exact.reward & mask)
  }

  private mutating func coarsen() {
    while cells.count > limit, bits > 0 { rekey(bits - 4) }
  }

  private mutating func rekey(_ fewer: Int) {
    bits = fewer
    var merged: [Key: Cell] = [:]
    for (old, cell) in cells { merged[key(old), default: Cell()].merge(cell) }
    cells = merged
  }
}
