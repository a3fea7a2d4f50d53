/// The layout of a block of differences in the encoding `patchedDelta` of ``IntegerStream``: few bits for each
/// difference, and exceptions for those that need more.
struct PatchedBlock: Equatable {
  static let headBytes = 12
  /// The number of bits of an index within a block.
  static let placeWidth = 10

  var least: Int64
  /// The number of bits of each difference to `least` in the block.
  var width: Int
  /// The number of bits of the rest of each exception.
  var restWidth: Int
  var exceptions: Int

  /// Chooses the smallest layout over all widths, for each of a few candidates for the smallest usual difference.
  /// There must be at least one difference, and no more than a block holds.
  init(_ differences: Span<Int64>) {
    self.init(least: 0, width: 64, restWidth: 0, exceptions: 0)
    var fewest = Int.max
    for least in Self.candidates(differences) {
      let block = BitNeeds(differences, least: least).narrowest
      let bytes = block.byteCount(differences.count)
      if bytes < fewest { (self, fewest) = (block, bytes) }
    }
  }

  init(least: Int64, width: Int, restWidth: Int, exceptions: Int) {
    self.least = least
    self.width = width
    self.restWidth = restWidth
    self.exceptions = exceptions
  }

  /// Returns the size in bytes of a block with the given number of differences, including its header.
  func byteCount(_ count: Int) -> Int {
    Self.headBytes + BitPacking.byteCount(count: count, width: width)
      + BitPacking.byteCount(count: exceptions, width: Self.placeWidth)
      + BitPacking.byteCount(count: exceptions, width: restWidth)
  }

  /// Returns the part of a difference beyond the bits of the block, zigzag-encoded; 0 if the bits hold all of it.
  func rest(of difference: Int64) -> UInt64 {
    guard width < 64 else { return 0 }
    let high = (difference &- least) >> Int64(width)
    return UInt64(bitPattern: high &<< 1 ^ high &>> 63)
  }

  /// Returns the number that an exception adds to a difference.
  static func addend(_ rest: UInt64, width: Int) -> UInt64 {
    (rest >> 1 ^ (0 &- (rest & 1))) << UInt64(width)
  }

  /// Returns candidates for `least`: the smallest difference, and the smallest that remains if those far below the
  /// median are made exceptions, the farthest power of two first, up to an eighth of all.
  static func candidates(_ differences: Span<Int64>) -> [Int64] {
    let count = differences.count
    let probes = [count / 4, count / 2, count / 4 * 3].map { differences[$0] }.sorted()
    let middle = probes[1]
    var (counts, lows) = ([Int](repeating: 0, count: 65), [Int64](repeating: 0, count: 65))
    for index in differences.indices {
      let offset = differences[index] &- middle
      let distance = offset < 0 ? 1 + BitPacking.width(of: UInt64(bitPattern: ~offset)) : 0
      counts[distance] += 1
      lows[distance] = min(lows[distance], offset)
    }
    var (candidates, left): ([Int64], Int) = ([], 0)
    for distance in counts.indices.reversed() where counts[distance] > 0 {
      candidates.append(middle &+ lows[distance])
      left += counts[distance]
      if left * 8 > count { break }
    }
    return candidates
  }
}

/// The number of differences of a block by the bits that they need above or below a reference value.
private struct BitNeeds {
  private let least: Int64
  private let count: Int
  private var above = [Int](repeating: 0, count: 65)
  private var below = 0
  /// The bits of the largest difference above the reference, and of the largest below it.
  private var highest = 0
  private var lowest = 0

  init(_ differences: Span<Int64>, least: Int64) {
    self.least = least
    count = differences.count
    for index in differences.indices {
      let offset = differences[index] &- least
      if offset >= 0 {
        above[BitPacking.width(of: UInt64(bitPattern: offset))] += 1
      } else {
        below += 1
        lowest = max(lowest, BitPacking.width(of: UInt64(bitPattern: ~offset)))
      }
    }
    highest = above.lastIndex { $0 > 0 } ?? 0
  }

  /// The block with the width that takes the fewest bytes; the largest such width on a tie.
  var narrowest: PatchedBlock {
    var best = PatchedBlock(least: least, width: 64, restWidth: 0, exceptions: 0)
    if below == 0 { best.width = highest }
    var exceptions = below
    var fewest = best.byteCount(count)
    for width in (0..<64).reversed() {
      exceptions += above[width + 1]
      guard width < best.width, exceptions > 0 else { continue }
      let restWidth = 1 + max(0, highest - width, below > 0 ? lowest - width : 0)
      let block = PatchedBlock(
        least: least, width: width, restWidth: restWidth, exceptions: exceptions)
      let bytes = block.byteCount(count)
      if bytes < fewest { (best, fewest) = (block, bytes) }
    }
    return best
  }
}
