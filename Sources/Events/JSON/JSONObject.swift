/// Named JSON values, each name once, in ascending order of the names' UTF-8 bytes: the order in which the
/// source had them never shows.
public struct JSONObject: Hashable, Sendable {
  /// One named value.
  public struct Member: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The value.
    public var value: JSONValue

    /// Makes a named value.
    public init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }

    /// Compares names by their UTF-8 bytes, and values by meaning.
    public static func == (a: Member, b: Member) -> Bool {
      a.name.hasSameBytes(as: b.name) && a.value == b.value
    }

    /// Hashes the name's bytes and the value, to agree with `==`.
    public func hash(into hasher: inout Hasher) {
      name.hashBytes(into: &hasher)
      hasher.combine(value)
    }
  }

  /// The members, ascending by the UTF-8 bytes of their names.
  public private(set) var members: [Member] = []

  /// An object without members.
  public init() {}

  /// An object of the members given in any order. Of two with the same name the later one holds.
  ///
  /// - Complexity: O(n log n) comparisons of names.
  public init(_ members: [Member]) {
    let sorted = members.enumerated().sorted { a, b in
      Self.precedes(a.element.name, b.element.name)
        || !Self.precedes(b.element.name, a.element.name) && a.offset < b.offset
    }
    self.members.reserveCapacity(sorted.count)
    for (_, member) in sorted {
      if let last = self.members.last, last.name.hasSameBytes(as: member.name) {
        self.members[self.members.count - 1] = member
      } else {
        self.members.append(member)
      }
    }
  }

  /// How many members there are.
  public var count: Int { members.count }

  /// Whether there is no member.
  public var isEmpty: Bool { members.isEmpty }

  /// The names, ascending by their UTF-8 bytes.
  public var names: [String] { members.map(\.name) }

  /// The value of that name. Setting it replaces the value or adds a member; setting nil removes it.
  ///
  /// - Complexity: O(log n) to read, O(n) to add or remove.
  public subscript(name: String) -> JSONValue? {
    get {
      let index = firstIndex(notBefore: name)
      guard index < members.count, members[index].name.hasSameBytes(as: name) else {
        return nil
      }
      return members[index].value
    }
    set {
      let index = firstIndex(notBefore: name)
      let isThere = index < members.count && members[index].name.hasSameBytes(as: name)
      switch (isThere, newValue) {
      case (true, let value?): members[index].value = value
      case (true, nil): members.remove(at: index)
      case (false, let value?): members.insert(Member(name: name, value: value), at: index)
      case (false, nil): break
      }
    }
  }

  private func firstIndex(notBefore name: String) -> Int {
    var (low, high) = (0, members.count)
    while low < high {
      let middle = (low + high) / 2
      if Self.precedes(members[middle].name, name) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func precedes(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// An object written in the source. Of two members with the same name the later one holds.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements.map { Member(name: $0.0, value: $0.1) })
  }
}
