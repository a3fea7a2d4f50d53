/// A section before and after a change, with the keys that differ.
public struct ConfigChange: Hashable, Sendable {
  /// The name of the section.
  public let name: String
  /// The section before the change; nil when it was added, and in the first delivery of a registration.
  public let old: ConfigSection?
  /// The section after the change; nil when it was removed.
  public let new: ConfigSection?

  /// The keys that were added, ascending.
  public var added: [String] { Self.keys(of: new, notIn: old) }

  /// The keys whose value changed, ascending.
  public var changed: [String] {
    guard let old, let new else { return [] }
    let before = Set(old.keys.map { Array($0.utf8) })
    return new.keys.filter { before.contains(Array($0.utf8)) && new[$0] != old[$0] }
  }

  /// The keys that were removed, ascending.
  public var removed: [String] { Self.keys(of: old, notIn: new) }

  private static func keys(of section: ConfigSection?, notIn other: ConfigSection?) -> [String] {
    let others = Set((other?.keys ?? []).map { Array($0.utf8) })
    return (section?.keys ?? []).filter { !others.contains(Array($0.utf8)) }
  }
}
