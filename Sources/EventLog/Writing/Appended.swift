/// The result of appending an event, or a batch, at most once.
public enum Appended: Hashable, Sendable {
  /// It was new and has been appended; the position is that of its first event.
  case new(position: UInt64)
  /// The log, or what this writer has appended to it, already contains it, and nothing was appended. The position is
  /// that of the first event with the same id; nil for a batch, and for positions from 4,294,967,295 on, which are not
  /// stored.
  case alreadyThere(position: UInt64?)

  /// Whether it was appended.
  public var isNew: Bool {
    if case .new = self { true } else { false }
  }
}

/// The result of appending an event at most once.
package struct AppendedOnce: Hashable, Sendable {
  /// Whether it was appended.
  package let result: Appended
  /// Whether the event that is there is known to have other content.
  package let differs: Bool

  init(_ result: Appended, differs: Bool) { (self.result, self.differs) = (result, differs) }
}
