/// A set of characters, as ranges of code points.
struct ScalarSet: Sendable {
  /// The ranges, ascending and not adjacent, for binary search.
  private(set) var ranges: [ClosedRange<UInt32>] = []
  private var isNegated = false
  var ignoresCase = false

  init(_ ranges: [ClosedRange<UInt32>] = [], isNegated: Bool = false, ignoresCase: Bool = false) {
    self.isNegated = isNegated
    self.ignoresCase = ignoresCase
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = self.ranges.last, range.lowerBound <= last.upperBound &+ 1 {
        self.ranges[self.ranges.count - 1] =
          last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        self.ranges.append(range)
      }
    }
  }

  /// - Complexity: O(log(number of ranges)).
  func contains(_ scalar: Unicode.Scalar) -> Bool { holds(scalar.value) != isNegated }

  /// Returns whether the set has the character or, if it ignores case, one that differs in case only.
  ///
  /// - Complexity: O(log(number of ranges)).
  func contains(_ character: inout CasedScalar) -> Bool {
    var isIn = holds(character.value)
    if !isIn, ignoresCase { isIn = character.others.contains(where: holds) }
    return isIn != isNegated
  }

  private func holds(_ value: UInt32) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].lowerBound <= value
  }

  var negated: ScalarSet {
    var set = self
    set.isNegated.toggle()
    return set
  }

  /// The only character of the set; nil when it does not have exactly one.
  var only: UInt32? {
    guard !isNegated, ranges.count == 1, ranges[0].count == 1 else { return nil }
    return ranges[0].lowerBound
  }

  /// The ranges of the characters in the set, with negation resolved.
  var positiveRanges: [ClosedRange<UInt32>] {
    guard isNegated else { return ranges }
    var gaps: [ClosedRange<UInt32>] = []
    var start: UInt32 = 0
    for range in ranges {
      if start < range.lowerBound { gaps.append(start...range.lowerBound - 1) }
      start = range.upperBound + 1
    }
    if start <= 0x10FFFF { gaps.append(start...0x10FFFF) }
    return gaps
  }

  static let digits = ScalarSet([0x30...0x39])
  static let word = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  static let space = ScalarSet([
    0x09...0x0D, 0x20...0x20, 0x85...0x85, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A,
    0x2028...0x2029, 0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000,
  ])
  static let lineEnds = ScalarSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029])
}

/// A character of a text, with its case variants, which are computed on demand.
struct CasedScalar {
  private let scalar: Unicode.Scalar
  private var known: [UInt32]?

  init(_ scalar: Unicode.Scalar) { self.scalar = scalar }

  var value: UInt32 { scalar.value }

  /// The case variants, looked up once for each position of the text, however many sets need them.
  var others: [UInt32] {
    mutating get {
      if let known { return known }
      var others: [UInt32] = []
      // Only single-character mappings: the others change the length of the text.
      for other in [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping] {
        let scalars = other.unicodeScalars
        if let mapped = scalars.first, scalars.count == 1 { others.append(mapped.value) }
      }
      known = others
      return others
    }
  }
}
