/// The options of a study in declared order, with the counts that its events brought: what tells a learner which
/// option a name is, and what a definition changes.
///
/// Whenever options are set as a whole every encountered count is raised to the greatest, and later each
/// encounter counts for all: so there is one count of encounters for the study. Without options it is 0.
///
/// The name is whatever tells options apart: a text, or the number that stands for one in a log.
public struct OptionTable<Name: Hashable & Sendable>: Sendable {
  /// The options in declared order.
  public private(set) var names: [Name] = []
  /// How often each was taken.
  @usableFromInline internal var takes: [Int] = []
  /// How often all of them were encountered.
  @usableFromInline internal var encounters = 0
  @usableFromInline internal var places: [Name: Int] = [:]

  /// No options.
  public init() {}

  /// How often each option was taken.
  @inlinable public var taken: [Int] { takes }

  /// How often all options were encountered.
  @inlinable public var encountered: Int { encounters }

  /// The place of an option in declared order; nil when it is not there.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func place(of name: Name) -> Int? { places[name] }

  /// Adds an option at the end.
  ///
  /// - Returns: False when it is there already; nothing changes then.
  @discardableResult
  public mutating func append(_ name: Name, taken count: Int = 0) -> Bool {
    guard places[name] == nil else { return false }
    places[name] = names.count
    names.append(name)
    takes.append(count)
    return true
  }

  /// Replaces how often an option was taken.
  public mutating func setTaken(_ count: Int, at place: Int) {
    if takes.indices.contains(place) { takes[place] = count }
  }

  /// Replaces how often all options were encountered; 0 without options.
  public mutating func setEncountered(_ count: Int) { encounters = names.isEmpty ? 0 : count }

  /// An option was taken, and all of them were encountered.
  ///
  /// - Complexity: O(1).
  @inlinable
  public mutating func take(at place: Int) {
    guard takes.indices.contains(place) else { return }
    if takes[place] < .max { takes[place] += 1 }
    if encounters < .max { encounters += 1 }
  }

  /// All options were encountered; without options nothing changes.
  @inlinable
  public mutating func encounter() {
    if !takes.isEmpty, encounters < .max { encounters += 1 }
  }

  /// Removes an option; those behind it move up.
  ///
  /// - Complexity: O(options).
  public mutating func remove(at place: Int) {
    guard names.indices.contains(place) else { return }
    places[names[place]] = nil
    names.remove(at: place)
    takes.remove(at: place)
    for later in place..<names.count { places[names[later]] = later }
    if names.isEmpty { encounters = 0 }
  }
}

extension OptionTable: Equatable {
  /// Whether names, order and counts are the same.
  public static func == (a: OptionTable, b: OptionTable) -> Bool {
    a.encounters == b.encounters && a.takes == b.takes && a.names == b.names
  }
}

extension OptionLearning {
  /// Begins anew with the options of the table, whose counts are of the time.
  public mutating func define<Name>(_ table: OptionTable<Name>, at time: Int64?) {
    define(takes: table.taken, encounters: table.encountered, at: time)
  }

  /// Takes over a table that differs from the one before by a change of single options. What was learned of
  /// the options that stay is kept, and the counts that are new are dated at the time.
  ///
  /// Where the new table cannot come from such a change, because options changed places or encounters went
  /// down, the study begins anew.
  ///
  /// - Complexity: O(options).
  public mutating func change<Name>(
    from old: OptionTable<Name>, to new: OptionTable<Name>, at time: Int64?
  ) {
    let kept = old.names.indices.filter { new.place(of: old.names[$0]) != nil }
    let isSuccessor =
      kept.map { old.names[$0] } == Array(new.names.prefix(kept.count))
      && (kept.isEmpty || new.encountered >= old.encountered)
    guard isSuccessor else { return define(new, at: time) }
    for place in old.names.indices.reversed() where new.place(of: old.names[place]) == nil {
      remove(place)
    }
    if !kept.isEmpty, new.encountered > old.encountered {
      raise(by: new.encountered - old.encountered, at: time)
    }
    for (place, takes) in new.taken.enumerated() {
      if place >= kept.count {
        add(takes: takes, encounters: new.encountered, at: time)
      } else if takes != old.taken[kept[place]] {
        revise(place, takes: takes, encounters: new.encountered, at: time)
      }
    }
  }
}
