/// How a block of differences is packed by the encoding `patchedDelta` of ``IntegerStream``: few bits for each, and
/// exceptions that add what these bits cannot hold.
struct PatchedBlock: Equatable {
  static let headBytes = 12
  /// The bits of a place within a block.
  static let placeWidth = 10

  var least: Int64
  /// The bits that every difference to `least` has in the block.
  var width: Int
  /// The bits of the rest of each exception.
  var restWidth: Int
  var exceptions: Int

  /// The block that takes the fewest bytes of all widths, for each of a few numbers that the smallest usual
  /// difference can be. There must be at least one difference, and no more than a block has.
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

  /// The bytes of a block of as many differences, with its head.
  func byteCount(_ count: Int) -> Int {
    Self.headBytes + BitPacking.byteCount(count: count, width: width)
      + BitPacking.byteCount(count: exceptions, width: Self.placeWidth)
      + BitPacking.byteCount(count: exceptions, width: restWidth)
  }

  /// What of a difference the bits of the block do not hold, as a number that is small whatever its sign; 0 when
  /// they hold all of it.
  func rest(of difference: Int64) -> UInt64 {
    guard width < 64 else { return 0 }
    let high = (difference &- least) >> Int64(width)
    return UInt64(bitPattern: high &<< 1 ^ high &>> 63)
  }

  /// What an exception adds to a difference.
  static func addend(_ rest: UInt64, width: Int) -> UInt64 {
    (rest >> 1 ^ (0 &- (rest & 1))) << UInt64(width)
  }

  /// Numbers for `least`: the smallest difference, and the smallest that is left when those far below a middle one
  /// are made exceptions, the farthest power of two first, up to an eighth of all.
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

/// How many differences of a block need how many bits above a number, or below it.
private struct BitNeeds {
  private let least: Int64
  private let count: Int
  private var above = [Int](repeating: 0, count: 65)
  private var below = 0
  /// The bits of the difference that is farthest above, and of the one that is farthest below.
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

  /// The block of the width that takes the fewest bytes, the largest of such widths.
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
