package import Events

extension JSONObject {
  /// Returns the object with a member, or without it when the value is nil.
  package func with(_ name: String, _ value: JSONValue?) -> JSONObject {
    var object = self
    object[name] = value
    return object
  }

  /// Returns the names whose values differ from the other object's: added, changed or removed; ascending.
  ///
  /// - Complexity: O(n) comparisons of names and values.
  package func namesOfDifferences(from old: JSONObject) -> [String] {
    var names: [String] = []
    var (index, oldIndex) = (0, 0)
    // Both are sorted by their bytes, so one pass visits every name once.
    while index < members.count || oldIndex < old.members.count {
      let new = index < members.count ? members[index] : nil
      let past = oldIndex < old.members.count ? old.members[oldIndex] : nil
      let isNew = Self.comes(new, before: past)
      let isGone = Self.comes(past, before: new)
      if isNew || isGone {
        names.append((isNew ? new : past)?.name ?? "")
      } else if let new, new != past {
        names.append(new.name)
      }
      if !isGone { index += 1 }
      if !isNew { oldIndex += 1 }
    }
    return names
  }

  private static func comes(_ a: Member?, before b: Member?) -> Bool {
    guard let a else { return false }
    guard let b else { return true }
    return a.name.utf8.lexicographicallyPrecedes(b.name.utf8)
  }
}
