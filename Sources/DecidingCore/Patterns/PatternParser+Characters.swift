// Character classes and escapes.
extension PatternParser {
  mutating func characterClass(ignoresCase: Bool) throws(PatternFlaw) -> ScalarSet {
    let start = place - 1
    var ranges: [ClosedRange<UInt32>] = []
    let isNegated = take("^")
    while !take("]") {
      guard next != nil else { throw flaw("this class is not closed; add its ']'", at: start) }
      let first = try classMember()
      guard next == "-", place + 1 < text.count, text[place + 1] != "]" else {
        ranges += first.positiveRanges
        continue
      }
      let dash = place
      place += 1
      let last = try classMember()
      guard let low = first.only, let high = last.only, low <= high else {
        throw flaw("a range goes from a character to a later one; write \\- for a hyphen", at: dash)
      }
      ranges.append(low...high)
    }
    guard !ranges.isEmpty else {
      throw flaw("this class is empty; list its characters, \\] for a bracket", at: start)
    }
    return ScalarSet(ranges, isNegated: isNegated, ignoresCase: ignoresCase)
  }

  private mutating func classMember() throws(PatternFlaw) -> ScalarSet {
    guard let scalar = next else { throw flaw("the class is not closed; add its ']'") }
    place += 1
    guard scalar == "\\" else { return ScalarSet([scalar.value...scalar.value]) }
    if take("b") { return ScalarSet([8...8]) }
    return try escaped()
  }

  /// Parses what follows a backslash.
  mutating func escaped() throws(PatternFlaw) -> ScalarSet {
    guard let scalar = next else {
      throw flaw("a backslash ends it; write \\\\ for a backslash", at: place - 1)
    }
    place += 1
    switch scalar {
    case "d": return .digits
    case "D": return ScalarSet.digits.negated
    case "w": return .word
    case "W": return ScalarSet.word.negated
    case "s": return .space
    case "S": return ScalarSet.space.negated
    case "n": return ScalarSet([0x0A...0x0A])
    case "r": return ScalarSet([0x0D...0x0D])
    case "t": return ScalarSet([0x09...0x09])
    case "f": return ScalarSet([0x0C...0x0C])
    case "v": return ScalarSet([0x0B...0x0B])
    case "x": return try hexadecimal(digits: next == "{" ? nil : 2)
    case "u": return try hexadecimal(digits: next == "{" ? nil : 4)
    case "0"..."9", "k":
      throw flaw(
        "a back reference takes more than linear time and is not understood; write out what it stands for",
        at: place - 2)
    default:
      guard !ScalarSet.word.contains(scalar), scalar.isASCII else {
        throw flaw(
          "\\\(scalar) is not understood; list the characters in a class, […], or leave out the backslash",
          at: place - 2)
      }
      return ScalarSet([scalar.value...scalar.value])
    }
  }

  /// Parses a character by its hexadecimal number: with a fixed number of digits, or in braces.
  private mutating func hexadecimal(digits: Int?) throws(PatternFlaw) -> ScalarSet {
    let start = place - 2
    if digits == nil { place += 1 }
    var (value, count): (UInt32, Int) = (0, 0)
    while let scalar = next, count < digits ?? 6, let digit = scalar.hexadecimal {
      value = value << 4 | digit
      count += 1
      place += 1
    }
    let isClosed = digits != nil || take("}")
    guard count > 0, count == digits ?? count, value <= 0x10FFFF, isClosed else {
      throw flaw(
        "a character's number is \\xHH, \\uHHHH or \\x{H…} up to 10FFFF, in hexadecimal digits",
        at: start)
    }
    return ScalarSet([value...value])
  }
}

extension Unicode.Scalar {
  fileprivate var hexadecimal: UInt32? {
    switch self {
    case "0"..."9": value - 0x30
    case "A"..."F": value - 0x37
    case "a"..."f": value - 0x57
    default: nil
    }
  }
}
