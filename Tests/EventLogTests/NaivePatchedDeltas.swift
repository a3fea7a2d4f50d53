@testable import EventLog

/// The encoding `patchedDelta` as its layout says, without any haste.
enum NaivePatchedDeltas {
  struct Block {
    var least: Int64
    var width: Int
    var restWidth = 0
    /// Place and rest of each exception.
    var exceptions: [(place: UInt64, rest: UInt64)] = []

    func byteCount(_ count: Int) -> Int {
      12 + BitPacking.byteCount(count: count, width: width)
        + BitPacking.byteCount(count: exceptions.count, width: 10)
        + BitPacking.byteCount(count: exceptions.count, width: restWidth)
    }
  }

  /// - Returns: nil when the stream is not smaller than the limit, or the limit is below a byte for each value.
  static func stream(_ values: [Int64], cheaperThan limit: Int) -> [UInt8]? {
    guard values.count > 1, limit >= values.count else { return nil }
    var differences = zip(values.dropFirst(), values).map { $0 &- $1 }
    let moves = Bitmap(count: values.count) { $0 > 0 && differences[$0 - 1] != 0 }
    let repeats = differences.count { $0 == 0 }
    let leavesOut = repeats * (limit * 8 / values.count) > values.count
    var output = NaiveStream.header(.patchedDelta, leavesOut ? 1 : 0, values.count, values[0])
    if leavesOut {
      moves.write(to: &output)
      differences.removeAll { $0 == 0 }
    }
    var bodies: [UInt8] = []
    for start in stride(from: 0, to: differences.count, by: 1_024) {
      let block = Array(differences[start..<min(start + 1_024, differences.count)])
      write(block, smallest(block), &output, &bodies)
    }
    output += bodies
    return output.count - 16 < limit ? output : nil
  }

  private static func write(
    _ differences: [Int64], _ block: Block, _ heads: inout [UInt8], _ bodies: inout [UInt8]
  ) {
    heads.appendLittleEndian(block.least)
    heads += [UInt8(block.width), UInt8(block.restWidth)]
    heads.appendLittleEndian(UInt16(block.exceptions.count))
    let mask = block.width == 64 ? UInt64.max : (1 << UInt64(block.width)) - 1
    bodies += NaiveStream.pack(
      differences.map { UInt64(bitPattern: $0 &- block.least) & mask }, block.width)
    bodies += NaiveStream.pack(block.exceptions.map(\.place), 10)
    bodies += NaiveStream.pack(block.exceptions.map(\.rest), block.restWidth)
  }

  /// Tries every width with every candidate.
  static func smallest(_ differences: [Int64]) -> Block {
    var best: Block?
    for least in candidates(differences) {
      for width in (0...64).reversed() {
        let block = block(differences, least, width)
        guard let known = best else {
          best = block
          continue
        }
        let fewer =
          known.least == least && block.exceptions.isEmpty
          ? 0 : known.byteCount(differences.count) - block.byteCount(differences.count)
        // Of widths that leave no exception, the smallest stands for all.
        let same = known.least == least && block.exceptions.isEmpty && known.exceptions.isEmpty
        if fewer > 0 || same { best = block }
      }
    }
    return best ?? Block(least: 0, width: 64)
  }

  private static func block(_ differences: [Int64], _ least: Int64, _ width: Int) -> Block {
    var block = Block(least: least, width: width)
    for (place, difference) in differences.enumerated() where width < 64 {
      let high = (difference &- least) >> Int64(width)
      guard high != 0 else { continue }
      let rest = high >= 0 ? UInt64(high) * 2 : UInt64(~high) * 2 + 1
      block.exceptions.append((UInt64(place), rest))
      block.restWidth = max(block.restWidth, BitPacking.width(of: rest))
    }
    return block
  }

  private static func candidates(_ differences: [Int64]) -> [Int64] {
    let quarter = differences.count / 4
    let middle = [
      differences[quarter], differences[differences.count / 2], differences[quarter * 3],
    ]
    .sorted()[1]
    func power(_ offset: Int64) -> Int {
      offset < 0 ? 1 + BitPacking.width(of: UInt64(bitPattern: ~offset)) : 0
    }
    var left = differences.map { $0 &- middle }
    var candidates: [Int64] = []
    while let low = left.min(), (differences.count - left.count) * 8 <= differences.count {
      candidates.append(middle &+ min(low, 0))
      left.removeAll { power($0) == power(low) }
    }
    return candidates
  }

  /// Reads what follows the header, one value after the other.
  static func values(_ stream: [UInt8], count: Int) throws -> [Int64] {
    var reader = LittleEndianReader(stream)
    let header = try StreamHeader.read(&reader, expecting: count)
    let moves =
      try header.width == 1
      ? Bitmap.read(&reader, count: count) : Bitmap(count: count) { $0 > 0 }
    let blocks = (moves.setCount + 1_023) / 1_024
    var heads = try LittleEndianReader(reader.take(blocks * 12))
    var differences: [Int64] = []
    for index in 0..<blocks {
      let size = min(1_024, moves.setCount - index * 1_024)
      let least = try heads.read(Int64.self)
      let width = Int(try heads.read(UInt8.self))
      let restWidth = Int(try heads.read(UInt8.self))
      let exceptions = Int(try heads.read(UInt16.self))
      var block = try unpack(&reader, size, width).map { least &+ Int64(bitPattern: $0) }
      let places = try unpack(&reader, exceptions, 10)
      let rests = try unpack(&reader, exceptions, restWidth)
      for (place, rest) in zip(places, rests) {
        let high = rest % 2 == 0 ? Int64(rest / 2) : ~Int64(rest / 2)
        block[Int(place)] &+= high << Int64(width)
      }
      differences += block
    }
    var (value, next) = (header.base, 0)
    return (0..<count).map { row in
      if moves[row] {
        value &+= differences[next]
        next += 1
      }
      return value
    }
  }

  private static func unpack(
    _ reader: inout LittleEndianReader, _ count: Int, _ width: Int
  ) throws -> [UInt64] {
    let bytes = try reader.take(BitPacking.byteCount(count: count, width: width))
    var values = [UInt64](repeating: 0, count: count)
    try BitPacking.unpack(bytes, width: width, base: 0, into: &values, from: 0, count: count)
    return values
  }
}
