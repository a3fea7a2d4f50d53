/// Named JSON values with unique names, sorted by the names' UTF-8 bytes. The order in the source has no effect.
public struct JSONObject: Sendable {
  /// A named value.
  public struct Member: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The value.
    public var value: JSONValue

    /// Creates a named value.
    public init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }

    /// Compares names by their UTF-8 bytes, and values semantically.
    public static func == (a: Member, b: Member) -> Bool {
      a.name.hasSameBytes(as: b.name) && a.value == b.value
    }

    /// Hashes the name's bytes and the value, consistently with `==`.
    public func hash(into hasher: inout Hasher) {
      name.hashBytes(into: &hasher)
      hasher.combine(value)
    }
  }

  /// The storage; nil if there are no members.
  private(set) var branch: JSONBranch?

  /// The members, sorted by the UTF-8 bytes of their names.
  public var members: [Member] { branch?.members ?? [] }

  /// Creates an empty object.
  public init() {}

  /// Creates an object of the members, given in any order. Of two with the same name, the later one is kept.
  ///
  /// - Complexity: O(n log n) comparisons of names.
  public init(_ members: [Member]) {
    let sorted = members.enumerated().sorted { a, b in
      Self.precedes(a.element.name, b.element.name)
        || !Self.precedes(b.element.name, a.element.name) && a.offset < b.offset
    }
    var distinct: [Member] = []
    distinct.reserveCapacity(sorted.count)
    for (_, member) in sorted {
      if let last = distinct.last, last.name.hasSameBytes(as: member.name) {
        distinct[distinct.count - 1] = member
      } else {
        distinct.append(member)
      }
    }
    branch = distinct.isEmpty ? nil : JSONBranch(members: distinct)
  }

  /// The number of members.
  public var count: Int { branch?.members.count ?? 0 }

  /// Whether there are no members.
  public var isEmpty: Bool { branch == nil }

  /// The names, sorted by their UTF-8 bytes.
  public var names: [String] { members.map(\.name) }

  /// The value with the given name. Setting it replaces the value or adds a member; setting nil removes it.
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
      let isThere = index < count && members[index].name.hasSameBytes(as: name)
      guard isThere || newValue != nil else { return }
      let branch = ownBranch()
      if !isThere, let newValue {
        branch.insert(Member(name: name, value: newValue), at: index)
      } else if let newValue {
        branch.change { $0[index].value = newValue }
      } else {
        branch.change { _ = $0.remove(at: index) }
        if branch.members.isEmpty { self.branch = nil }
      }
    }
  }

  /// Returns the storage, copying it if it is shared.
  private mutating func ownBranch() -> JSONBranch {
    // Bound only after the check, because a binding is a reference too.
    if isKnownUniquelyReferenced(&branch), let branch { return branch }
    let own = JSONBranch(members: members, depth: depth)
    branch = own
    return own
  }

  /// The nesting depth, including this object.
  var depth: Int { branch?.depth ?? 1 }

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

extension JSONObject: Hashable {
  /// Compares the members semantically.
  public static func == (a: JSONObject, b: JSONObject) -> Bool {
    JSONValue.object(a) == JSONValue.object(b)
  }

  /// Hashes the members, consistently with `==`.
  public func hash(into hasher: inout Hasher) { JSONValue.object(self).hash(into: &hasher) }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Creates an object from a literal. Of two members with the same name, the later one is kept.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements.map { Member(name: $0.0, value: $0.1) })
  }
}
