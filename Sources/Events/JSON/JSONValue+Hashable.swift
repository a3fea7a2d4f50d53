// Iterative, because values may be nested arbitrarily deep.
extension JSONValue: Hashable {
  /// Compares semantically.
  public static func == (a: JSONValue, b: JSONValue) -> Bool {
    var pending: [(JSONValue, JSONValue)] = []
    guard areEqual(a, b, but: &pending) else { return false }
    while let (a, b) = pending.popLast() {
      guard haveEqualChildren(a, b, but: &pending) else { return false }
    }
    return true
  }

  /// Compares two values; the contents of lists and objects are compared later.
  private static func areEqual(
    _ a: JSONValue, _ b: JSONValue, but pending: inout [(JSONValue, JSONValue)]
  ) -> Bool {
    switch (a, b) {
    case (.null, .null): return true
    case (.boolean(let a), .boolean(let b)): return a == b
    case (.integer(let a), .integer(let b)): return a == b
    case (.number(let a), .number(let b)): return a == b
    case (.integer(let integer), .number(let number)), (.number(let number), .integer(let integer)):
      return Int64(exactly: number) == integer
    case (.string(let a), .string(let b)): return a.hasSameBytes(as: b)
    case (.array(let x), .array(let y)):
      guard x.count == y.count, x.depth == y.depth else { return false }
    case (.object(let x), .object(let y)):
      guard x.count == y.count, x.depth == y.depth else { return false }
    default: return false
    }
    pending.append((a, b))
    return true
  }

  private static func haveEqualChildren(
    _ a: JSONValue, _ b: JSONValue, but pending: inout [(JSONValue, JSONValue)]
  ) -> Bool {
    switch (a, b) {
    case (.array(let a), .array(let b)):
      return zip(a.elements, b.elements).allSatisfy { areEqual($0, $1, but: &pending) }
    case (.object(let a), .object(let b)):
      return zip(a.members, b.members).allSatisfy {
        $0.name.hasSameBytes(as: $1.name) && areEqual($0.value, $1.value, but: &pending)
      }
    default: return false
    }
  }

  /// Hashes the value, consistently with `==`.
  public func hash(into hasher: inout Hasher) {
    var pending: [JSONValue] = []
    hash(into: &hasher, but: &pending)
    while let value = pending.popLast() { value.hash(into: &hasher, but: &pending) }
  }

  private func hash(into hasher: inout Hasher, but pending: inout [JSONValue]) {
    switch self {
    case .null: hasher.combine(0)
    case .boolean(let flag): hasher.combine(flag)
    case .integer(let integer): hasher.combine(integer)
    case .number(let number):
      if let integer = Int64(exactly: number) {
        hasher.combine(integer)
      } else {
        hasher.combine(number)
      }
    case .string(let text): text.hashBytes(into: &hasher)
    case .array(let values):
      hasher.combine(values.count)
      pending.append(contentsOf: values)
    case .object(let object):
      hasher.combine(object.count)
      for member in object.members {
        member.name.hashBytes(into: &hasher)
        pending.append(member.value)
      }
    }
  }
}
