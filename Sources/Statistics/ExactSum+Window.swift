// The window of a sum: 256 bits in two's complement. Each function that adds returns whether there was room; if not,
// the sum is unchanged.

extension ExactSum {
  /// Whether the window is zero, or was never placed.
  var isEmptyWindow: Bool { words[0] | words[1] | words[2] | words[3] == 0 }

  var isNegativeWindow: Bool { Int64(bitPattern: words[3]) < 0 }

  /// The magnitude of the window.
  var magnitude: InlineArray<4, UInt64> {
    isNegativeWindow ? Self.opposite(of: words) : words
  }

  private static func opposite(of words: InlineArray<4, UInt64>) -> InlineArray<4, UInt64> {
    var result = words
    var carry = 1 as UInt64
    for index in words.indices { (result[index], carry) = sum(~words[index], 0, carry) }
    return result
  }

  /// The negated sum; nil if it does not fit in the window.
  var negated: ExactSum? {
    guard wide.isEmpty else { return nil }
    var copy = self
    copy.words = Self.opposite(of: words)
    // The most negative number of two's complement has no negation.
    guard isEmptyWindow || isNegativeWindow != copy.isNegativeWindow else { return nil }
    return copy
  }

  @inline(__always)
  private static func sum(_ a: UInt64, _ b: UInt64, _ carry: UInt64) -> (UInt64, UInt64) {
    let (part, isOver) = a.addingReportingOverflow(b)
    let (total, isOverAgain) = part.addingReportingOverflow(carry)
    return (total, isOver || isOverAgain ? 1 : 0)
  }

  /// Adds a magnitude whose lowest bit is in one of the first three words, or subtracts it if the mask is all ones: the
  /// complement and a carry then negate it without a branch.
  @inline(__always)
  mutating func addWithin(
    _ magnitude: UInt64, shift: UInt64, offset: Int, mask: UInt64
  ) -> Bool {
    let top = words[3]
    addWrapping(magnitude, shift, offset, mask)
    // Overflow requires two numbers of one sign and a sum of the other.
    guard Int64(bitPattern: (top ^ words[3]) & ~(top ^ mask)) < 0 else { return true }
    addWrapping(magnitude, shift, offset, ~mask)
    return false
  }

  @inline(__always)
  private mutating func addWrapping(
    _ magnitude: UInt64, _ shift: UInt64, _ offset: Int, _ mask: UInt64
  ) {
    let low = magnitude &<< shift
    let high = (magnitude &>> 1) &>> (63 &- shift)
    var carry = mask & 1
    (words[offset], carry) = Self.sum(words[offset], low ^ mask, carry)
    (words[offset &+ 1], carry) = Self.sum(words[offset &+ 1], high ^ mask, carry)
    var index = offset &+ 2
    while index < 4, carry != mask & 1 {
      (words[index], carry) = Self.sum(words[index], mask, carry)
      index &+= 1
    }
  }

  /// Adds another sum, whose window may be elsewhere.
  mutating func addWithin(_ other: ExactSum) -> Bool {
    guard !other.isEmptyWindow else { return other.wide.isEmpty }
    if base != other.base, !cover(other.used) { return false }
    let sign: UInt64 = other.isNegativeWindow ? ~0 : 0
    let distance = other.base - base
    var total = words
    var carry = 0 as UInt64
    for index in words.indices {
      let from = index - distance
      let addend = from < 0 ? 0 : from > 3 ? sign : other.words[from]
      (total[index], carry) = Self.sum(words[index], addend, carry)
    }
    guard Int64(bitPattern: (words[3] ^ total[3]) & ~(words[3] ^ sign)) >= 0 else { return false }
    words = total
    return true
  }

  /// The significant words of the window, as indices of the whole range. The number is not zero.
  private var used: ClosedRange<Int> {
    var (first, last) = (0, 3)
    while words[first] == 0 { first += 1 }
    // A word that only repeats the sign of the one below is not significant.
    while last > first, words[last] == UInt64(bitPattern: Int64(bitPattern: words[last - 1]) >> 63) {
      last -= 1
    }
    return base + first...base + last
  }

  /// Moves the window over the given words of the whole range, if it can also cover what it holds.
  mutating func cover(_ wanted: ClosedRange<Int>) -> Bool {
    let used = isEmptyWindow ? wanted : used
    let (first, last) = (
      min(used.lowerBound, wanted.lowerBound), max(used.upperBound, wanted.upperBound)
    )
    guard last - first < 4 else { return false }
    // Half of the spare words go below, for smaller values to come, and half above for the sum to grow.
    let place = min(max(first - (4 - (last - first)) / 2, 0), Self.highestBase)
    guard last - place < 4 else { return false }
    let distance = isEmptyWindow ? 0 : place - base
    let (before, sign) = (words, isNegativeWindow ? ~0 : 0 as UInt64)
    for index in words.indices {
      let from = index + distance
      words[index] = from < 0 ? 0 : from > 3 ? sign : before[from]
    }
    base = place
    return true
  }
}
