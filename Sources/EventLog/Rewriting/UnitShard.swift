/// One of several parts of the units of a log, as ``LogSplit`` divides them.
///
/// Parts are counted from 1, as in `--shard 1/4`. The part of a unit is the 64-bit FNV-1a hash of its name's UTF-8
/// bytes, finalized by the mixing of SplitMix64, modulo the number of parts, plus 1: the same in every log, on every
/// machine. The empty unit, of events that concern everyone, belongs to every part.
public struct UnitShard: Hashable, Sendable, CustomStringConvertible {
  /// The number of the part, from 1.
  public let number: Int
  /// The number of parts.
  public let count: Int

  /// The valid numbers of parts.
  public static let counts = 1...4_096

  /// All units.
  public static let whole = UnitShard(index: 0, of: 1)

  private init(index: Int, of count: Int) {
    (number, self.count) = (index + 1, count)
  }

  /// Creates a part; nil unless the number is 1 to the count, and the count one of ``counts``.
  public init?(number: Int, count: Int) {
    guard Self.counts ~= count, 1...count ~= number else { return nil }
    self.init(index: number - 1, of: count)
  }

  /// Parses a part written as `1/4`, the first of four; nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]) else {
      return nil
    }
    self.init(number: number, count: count)
    // Other spellings of a number, such as +1 or 01.
    guard description == text else { return nil }
  }

  /// All parts of a division into a number of parts, in ascending order; empty unless it is one of ``counts``.
  public static func all(of count: Int) -> [UnitShard] {
    guard counts ~= count else { return [] }
    return (0..<count).map { UnitShard(index: $0, of: count) }
  }

  /// The part as it is written: `1/4`.
  public var description: String { "\(number)/\(count)" }

  /// Returns whether the part has a unit.
  ///
  /// - Parameter unit: The UTF-8 bytes of the unit's name.
  /// - Returns: Whether it does; always true for the empty unit.
  /// - Complexity: O(length of the name).
  public func contains(unit: ArraySlice<UInt8>) -> Bool {
    unit.isEmpty || Self.index(of: unit, among: count) == number - 1
  }

  /// Returns the index, counted from 0, of the part of a unit.
  static func index(of unit: ArraySlice<UInt8>, among count: Int) -> Int {
    Int(StableHash.of(unit) % UInt64(count))
  }
}

extension UnitShard {
  /// Returns the first unit of a log, in the order of first appearance, that the part does not have; nil if it has all.
  ///
  /// - Throws: ``LogError`` if the names of the units cannot be read.
  /// - Complexity: O(length of the names of the units); no event is read.
  public func firstForeignUnit(of log: LogReader) throws(LogError) -> [UInt8]? {
    for frame in log.frames {
      for entry in frame.entries where entry.column.vocabulary == .units {
        let names = try log.passingOver { () throws(LogError) in
          try log.names(entry, of: frame)
        }
        guard let names else { continue }
        for name in names {
          if let name, !contains(unit: name) { return Array(name) }
        }
      }
    }
    return nil
  }

  /// Throws if a log has a unit that the part does not have.
  ///
  /// - Throws: ``LogError/Code/otherShard`` with the first such unit and its part; others if the names of the units
  ///   cannot be read.
  /// - Complexity: O(length of the names of the units); no event is read.
  public func requireAllUnits(of log: LogReader) throws(LogError) {
    guard let unit = try firstForeignUnit(of: log) else { return }
    let own = UnitShard(index: Self.index(of: unit[...], among: count), of: count)
    throw LogError(
      .otherShard,
      "the unit '\(String(decoding: unit, as: UTF8.self))' belongs to shard \(own), and this is given as shard "
        + "\(self); name the log's own shard, or make the shards with `bandolier log split --into \(count)`",
      path: log.path)
  }
}
