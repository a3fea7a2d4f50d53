// The window of a sum: 256 bits in two's complement. Each function that adds says whether there was room; where there was
// none the sum is what it was.

extension ExactSum {
  /// Whether the window holds zero, or was never placed.
  var isEmptyWindow: Bool { words[0] | words[1] | words[2] | words[3] == 0 }

  var isNegativeWindow: Bool { Int64(bitPattern: words[3]) < 0 }

  /// The window's magnitude.
  var magnitude: InlineArray<4, UInt64> {
    isNegativeWindow ? Self.opposite(of: words) : words
  }

  private static func opposite(of words: InlineArray<4, UInt64>) -> InlineArray<4, UInt64> {
    var result = words
    var carry = 1 as UInt64
    for index in words.indices { (result[index], carry) = sum(~words[index], 0, carry) }
    return result
  }

  /// The opposite sum; nil where it has no room in the window.
  var negated: ExactSum? {
    guard wide.isEmpty else { return nil }
    var copy = self
    copy.words = Self.opposite(of: words)
    // The lowest number of two's complement has no opposite.
    guard isEmptyWindow || isNegativeWindow != copy.isNegativeWindow else { return nil }
    return copy
  }

  @inline(__always)
  private static func sum(_ a: UInt64, _ b: UInt64, _ carry: UInt64) -> (UInt64, UInt64) {
    let (part, isOver) = a.addingReportingOverflow(b)
    let (total, isOverAgain) = part.addingReportingOverflow(carry)
    return (total, isOver || isOverAgain ? 1 : 0)
  }

  /// Adds a magnitude whose lowest bit has a place in one of the first three words, or subtracts it where the mask is all
  /// ones: the complement and a carry then negate without a branch.
  @inline(__always)
  mutating func addWithin(
    _ magnitude: UInt64, shift: UInt64, offset: Int, mask: UInt64
  ) -> Bool {
    let top = words[3]
    addWrapping(magnitude, shift, offset, mask)
    // Only two numbers of one sign can have a sum of the other.
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

  /// Adds another sum whose window may lie elsewhere.
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

  /// The words of the whole range without which the window's number would be another. The number is not zero.
  private var used: ClosedRange<Int> {
    var (first, last) = (0, 3)
    while words[first] == 0 { first += 1 }
    // A word that only repeats the sign of the one below says nothing.
    while last > first, words[last] == UInt64(bitPattern: Int64(bitPattern: words[last - 1]) >> 63)
    {
      last -= 1
    }
    return base + first...base + last
  }

  /// Moves the window over some words of the whole range, if it can be over what it holds too.
  mutating func cover(_ wanted: ClosedRange<Int>) -> Bool {
    let used = isEmptyWindow ? wanted : used
    let (first, last) = (
      min(used.lowerBound, wanted.lowerBound), max(used.upperBound, wanted.upperBound)
    )
    guard last - first < 4 else { return false }
    // Half of what is left over goes below, for the smaller values to come, and half above for the sum to grow.
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
