/// The options of a study in declared order, with their counts: it maps names to indices and applies definitions.
///
/// Setting the options as a whole raises every count of encounters to the greatest, and later encounters count for
/// all options, so the study has one count of encounters. Without options it is 0.
///
/// The name is any identifier of an option: a text, or its number in a log.
///
/// It is inlinable, so that each module specializes it for its own names.
public struct OptionTable<Name: Hashable & Sendable>: Sendable {
  @usableFromInline internal var declared: [Name] = []
  /// The takes of each option.
  @usableFromInline internal var takes: [Int] = []
  /// The encounters of all options.
  @usableFromInline internal var encounters = 0
  @usableFromInline internal var places: [Name: Int] = [:]

  /// Creates a table without options.
  @inlinable
  public init() {}

  /// The options in declared order.
  @inlinable public var names: [Name] { declared }

  /// The takes of each option.
  @inlinable public var taken: [Int] { takes }

  /// The encounters of all options.
  @inlinable public var encountered: Int { encounters }

  /// Returns the index of an option in declared order; nil if there is no such option.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func place(of name: Name) -> Int? { places[name] }

  /// Appends an option.
  ///
  /// - Returns: False, without changing anything, if the option exists.
  @discardableResult @inlinable
  public mutating func append(_ name: Name, taken count: Int = 0) -> Bool {
    guard places[name] == nil else { return false }
    places[name] = declared.count
    declared.append(name)
    takes.append(count)
    return true
  }

  /// Sets the takes of an option.
  @inlinable
  public mutating func setTaken(_ count: Int, at place: Int) {
    if takes.indices.contains(place) { takes[place] = count }
  }

  /// Sets the encounters of all options; 0 without options.
  @inlinable
  public mutating func setEncountered(_ count: Int) { encounters = declared.isEmpty ? 0 : count }

  /// Counts a take of an option, which is also an encounter of all options.
  ///
  /// - Complexity: O(1).
  @inlinable
  public mutating func take(at place: Int) {
    guard takes.indices.contains(place) else { return }
    if takes[place] < .max { takes[place] += 1 }
    if encounters < .max { encounters += 1 }
  }

  /// Counts an encounter of all options; without options nothing changes.
  @inlinable
  public mutating func encounter() {
    if !takes.isEmpty, encounters < .max { encounters += 1 }
  }

  /// Removes an option; those after it move down by one.
  ///
  /// - Complexity: O(options).
  @inlinable
  public mutating func remove(at place: Int) {
    guard declared.indices.contains(place) else { return }
    places[declared[place]] = nil
    declared.remove(at: place)
    takes.remove(at: place)
    for later in place..<declared.count { places[declared[later]] = later }
    if declared.isEmpty { encounters = 0 }
  }
}

extension OptionTable: Equatable {
  @inlinable
  public static func == (a: OptionTable, b: OptionTable) -> Bool {
    a.encounters == b.encounters && a.takes == b.takes && a.names == b.names
  }
}

extension OptionTable {
  /// Returns the places of the remaining options in a table from which this one can result by changes of single
  /// options; nil if it cannot.
  func places(keptFrom old: OptionTable) -> [Int]? {
    let kept = old.names.indices.filter { place(of: old.names[$0]) != nil }
    let isSuccessor =
      kept.map { old.names[$0] } == Array(names.prefix(kept.count))
      && (kept.isEmpty || encountered >= old.encountered)
    return isSuccessor ? kept : nil
  }
}

extension OptionLearning {
  /// Starts anew with the options of the table, whose counts are dated at the time.
  public mutating func define<Name>(_ table: OptionTable<Name>, at time: Int64?) {
    apply(.define(takes: table.taken, encounters: table.encountered), at: time)
  }

  /// Applies a table that differs from the previous one by changes of single options. What was learned of the
  /// remaining options is kept, and new counts are dated at the time.
  ///
  /// If the new table cannot result from such changes, because options were reordered or encounters decreased, the
  /// study starts anew.
  ///
  /// - Complexity: O(options).
  public mutating func change<Name>(
    from old: OptionTable<Name>, to new: OptionTable<Name>, at time: Int64?
  ) {
    guard let kept = new.places(keptFrom: old) else { return define(new, at: time) }
    for place in old.names.indices.reversed() where new.place(of: old.names[place]) == nil {
      apply(.remove(place), at: nil)
    }
    if !kept.isEmpty, new.encountered > old.encountered {
      apply(.raise(by: new.encountered - old.encountered), at: time)
    }
    for (place, takes) in new.taken.enumerated() {
      if place >= kept.count {
        apply(.add(takes: takes, encounters: new.encountered), at: time)
      } else if takes != old.taken[kept[place]] {
        apply(.revise(place, takes: takes, encounters: new.encountered), at: time)
      }
    }
  }
}
