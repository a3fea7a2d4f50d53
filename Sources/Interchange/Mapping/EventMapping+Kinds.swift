/// Which events of a mapping are never in one record, because records of several kinds say which they are.
extension EventMapping {
  /// Returns whether no record has both of two events, because a condition asks for other contents.
  func excludes(_ first: Int, _ second: Int) -> Bool {
    let (first, second) = (events[first], events[second])
    guard first.asksForContents || second.asksForContents else { return false }
    return first.isOther(than: second) || first.isTurnedAway(by: second) || second.isTurnedAway(by: first)
  }

  /// Whether each record is of one kind only.
  var hasOneEventEach: Bool {
    events.count > 1 && events.indices.allSatisfy { first in (0..<first).allSatisfy { excludes($0, first) } }
  }
}

extension EventMapping.Template {
  fileprivate var asksForContents: Bool { entries.contains { $0.term?.contents.isEmpty == false } }

  private func condition(_ field: EventField.Plain) -> (columns: [String], contents: Set<String>)? {
    guard let term = entries.first(where: { $0.field == .plain(field) })?.term else { return nil }
    return (term.columns, Set(term.contents.map(MappedCondition.key)))
  }

  /// Returns whether it asks for other contents of the same column.
  fileprivate func isOther(than other: EventMapping.Template) -> Bool {
    guard let own = condition(.when), let theirs = other.condition(.when), own.columns == theirs.columns else {
      return false
    }
    let areContents = [own, theirs].allSatisfy { !$0.contents.isEmpty && !$0.contents.contains(MappedCondition.any) }
    return areContents && own.contents.isDisjoint(with: theirs.contents)
  }

  /// Returns whether another event is not there in the records that this one asks for.
  func isTurnedAway(by other: EventMapping.Template) -> Bool {
    guard let wanted = condition(.when), let unwanted = other.condition(.unless), wanted.columns == unwanted.columns
    else { return false }
    if unwanted.contents.contains(MappedCondition.any) { return true }
    // Without contents, the other is there where the column is empty, 0 or false.
    if unwanted.contents.isEmpty {
      return !wanted.contents.contains { MappedCondition.isFalse($0) || $0 == MappedCondition.any }
    }
    return !wanted.contents.isEmpty && wanted.contents.isSubset(of: unwanted.contents)
  }
}
