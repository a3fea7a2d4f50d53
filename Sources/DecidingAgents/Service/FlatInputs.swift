internal import DecidingCore
package import Events

/// Values by name, in order. Those inside of objects have the names of all, joined with dots: `place.country`.
package struct FlatInputs: Sendable {
  package let members: [JSONObject.Member]

  /// The maximum length of a name in UTF-8 bytes. An object with a longer one is not taken apart.
  static let nameLimit = 128

  package init(_ object: JSONObject) {
    guard object.members.contains(where: { $0.value.object != nil }) else {
      members = object.members
      return
    }
    var members: [JSONObject.Member] = []
    var rest = Array(object.members.reversed())
    while let member = rest.popLast() {
      guard let inner = member.value.object, member.name.utf8.count < Self.nameLimit else {
        members.append(member)
        continue
      }
      rest += inner.members.reversed().map {
        JSONObject.Member(name: "\(member.name).\($0.name)", value: $0.value)
      }
    }
    self.members = members
  }

  /// The first value with a name; nil if there is none.
  subscript(name: String) -> JSONValue? {
    members.first { $0.name.hasSameBytes(as: name) }?.value
  }
}
