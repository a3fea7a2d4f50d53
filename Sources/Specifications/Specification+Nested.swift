extension Specification {
  /// Returns the specifications separated by semicolons, each in parentheses, or without them if it has neither commas
  /// nor semicolons; nil if the parameter is not given.
  ///
  /// - Throws: ``SpecificationError`` if one of them is invalid, or nesting is too deep.
  package func nestedList(
    _ key: String, _ kind: String = "specifications"
  ) throws(SpecificationError) -> [Specification]? {
    guard let text = self[key] else { return nil }
    try refuseDepth(of: key, kind)
    var list: [Specification] = []
    for part in Self.parts(of: text[...], at: ";") ?? [text[...]] {
      let single = Specification(name, [Parameter(key: key, value: String(part))])
      if let nested = try single.nested(key) { list.append(nested) }
    }
    return list
  }

  /// Rejects specifications nested more than 8 levels deep, to bound the recursion.
  ///
  /// - Parameters:
  ///   - key: The parameter whose value is a specification or a list of them.
  ///   - kind: What is nested, for the message.
  /// - Throws: ``SpecificationError`` with the nesting depth.
  package func refuseDepth(
    of key: String, _ kind: String = "specifications"
  ) throws(SpecificationError) {
    let depth = Self.depth(of: self[key] ?? "")
    guard depth <= 8 else {
      throw SpecificationError(
        "\(key) of \(name) has \(kind) nested \(depth) deep; 8 are the most")
    }
  }

  /// Returns the nesting depth of the specifications of a value. Each parenthesis begins a level and, without
  /// parentheses, each colon, as in `a:x=b:y=c:z=1`.
  private static func depth(of text: String) -> Int {
    // Per open parenthesis, the number of colons since the last separator.
    var colons = [0]
    var (depth, deepest) = (0, 0)
    func weight(_ level: Int) -> Int { max(level == 0 ? 0 : 1, colons[level]) }
    for character in text.utf8 {
      switch character {
      case UInt8(ascii: "("):
        colons.append(0)
        depth += 1
      case UInt8(ascii: ")") where colons.count > 1:
        depth -= weight(colons.count - 1)
        colons.removeLast()
      case UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: ","):
        let level = colons.count - 1
        depth -= weight(level)
        colons[level] = character == UInt8(ascii: ":") ? colons[level] + 1 : 0
        depth += weight(level)
      default: break
      }
      deepest = max(deepest, depth)
    }
    return deepest
  }
}
