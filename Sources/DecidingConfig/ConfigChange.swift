/// A section before and after a change, with the keys that differ.
public struct ConfigChange: Hashable, Sendable {
  /// The name of the section.
  public let name: String
  /// The section as it was; nil when it is new, and in the first delivery of a registration.
  public let old: ConfigSection?
  /// The section as it is; nil when it went.
  public let new: ConfigSection?

  init(name: String, old: ConfigSection?, new: ConfigSection?) {
    self.name = name
    self.old = old
    self.new = new
  }

  /// The keys that were not there before, ascending.
  public var added: [String] { Self.keys(of: new, notIn: old) }

  /// The keys that were there before and have another value now, ascending.
  public var changed: [String] {
    guard let old, let new else { return [] }
    let before = Set(old.keys.map { Array($0.utf8) })
    return new.keys.filter { before.contains(Array($0.utf8)) && new[$0] != old[$0] }
  }

  /// The keys that are gone, ascending.
  public var removed: [String] { Self.keys(of: old, notIn: new) }

  private static func keys(of section: ConfigSection?, notIn other: ConfigSection?) -> [String] {
    let others = Set((other?.keys ?? []).map { Array($0.utf8) })
    return (section?.keys ?? []).filter { !others.contains(Array($0.utf8)) }
  }
}
