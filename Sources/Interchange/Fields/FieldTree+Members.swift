internal import Events

extension FieldTree {
  /// The most members of an object of which each is compared with those before it that may have its name.
  private static let fewMembers = 64

  /// Replaces the fields by those of a record of JSON, no object of which has two members of one name.
  ///
  /// - Throws: ``Rejection``.
  mutating func fill(record text: Span<UInt8>) throws(Rejection) {
    try fill(json: text)
    try requireDistinctMembers()
  }

  /// Checks that no object has two members of one name, of which only one would count.
  ///
  /// - Throws: ``Rejection`` `event`.
  /// - Complexity: O(members).
  private func requireDistinctMembers() throws(Rejection) {
    for object in nodes.indices where nodes[object].kind == .object {
      guard let twin = twin(of: object) else { continue }
      let name = bytes.span.extracting(nodes[twin].nameRange).extracting(first: 40).string
      throw Rejection(.event, "\"\(name)\" occurs twice in an object; keep one of them")
    }
  }

  /// Returns a member with the name of one before it; nil if there is none.
  private func twin(of object: Int) -> Int? {
    var (seen, count) = (UInt64(0), 0)
    var member = object + 1
    while member < nodes[object].next {
      let name = nodes[member].nameRange
      let last = name.isEmpty ? 0 : bytes[name.upperBound - 1]
      let bit = UInt64(1) << ((UInt64(last) &* 7 &+ UInt64(name.count)) & 63)
      count += 1
      guard count <= Self.fewMembers else { return twinOfMany(of: object) }
      if seen & bit != 0, isNamedBefore(member, object) { return member }
      seen |= bit
      member = Int(nodes[member].next)
    }
    return nil
  }

  private func isNamedBefore(_ member: Int, _ object: Int) -> Bool {
    let name = bytes[nodes[member].nameRange]
    var other = object + 1
    while other < member {
      let range = nodes[other].nameRange
      if range.count == name.count, bytes[range].elementsEqual(name) { return true }
      other = Int(nodes[other].next)
    }
    return false
  }

  private func twinOfMany(of object: Int) -> Int? {
    var names: Set<ArraySlice<UInt8>> = []
    var member = object + 1
    while member < nodes[object].next {
      if !names.insert(bytes[nodes[member].nameRange]).inserted { return member }
      member = Int(nodes[member].next)
    }
    return nil
  }
}
