extension JSONScanner {
  /// The open lists and objects around a value: one bit for each, set for an object, the innermost lowest.
  private struct Nesting {
    var bits: UInt64 = 0
    var depth = 0

    var isInObject: Bool { bits & 1 == 1 }

    mutating func open(object: Bool) {
      bits = bits &<< 1 | (object ? 1 : 0)
      depth += 1
    }

    mutating func close() {
      bits = bits &>> 1
      depth -= 1
    }
  }

  /// Skips any JSON value, checks that it is valid, and returns its end.
  ///
  /// - Complexity: O(length), without recursion: hostile nesting costs no stack.
  mutating func skipValue(_ line: Span<UInt8>) throws(JSONLineError) -> Int {
    var nesting = Nesting()
    while true {
      skipSpace(line)
      if try enterOrSkipScalar(&nesting, line) { continue }
      // A value has ended, and with it the lists and objects whose last one it was.
      while nesting.depth > 0 {
        guard try !another(before: nesting.isInObject ? "}" : "]", line) else { break }
        nesting.close()
      }
      if nesting.depth == 0 { return position }
      if nesting.isInObject { _ = try key(line) }
    }
  }

  /// Skips the start of a value, and returns whether another value begins inside it.
  private mutating func enterOrSkipScalar(_ nesting: inout Nesting, _ line: Span<UInt8>)
    throws(JSONLineError) -> Bool
  {
    switch peek(line) {
    case UInt8(ascii: "\""): _ = try string(line)
    case UInt8(ascii: "{"):
      try open(object: true, &nesting, line)
      if !skip("}", line) {
        _ = try key(line)
        return true
      }
      nesting.close()
    case UInt8(ascii: "["):
      try open(object: false, &nesting, line)
      if !skip("]", line) { return true }
      nesting.close()
    case UInt8(ascii: "t"): try literal("true", line)
    case UInt8(ascii: "f"): try literal("false", line)
    case UInt8(ascii: "n"): try literal("null", line)
    default: _ = try number(line)
    }
    return false
  }

  private mutating func open(object: Bool, _ nesting: inout Nesting, _ line: Span<UInt8>)
    throws(JSONLineError)
  {
    guard nesting.depth < Self.deepestNesting else {
      throw Self.tooDeep(Self.deepestNesting, at: position)
    }
    nesting.open(object: object)
    position += 1
  }
}
