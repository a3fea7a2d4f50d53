internal import Threads

/// The memory of answers that wait for their clients to take them. Small answers are not counted: the number of
/// connections bounds them.
final class AnswerMemory: Sendable {
  /// The size up to which an answer is small.
  static let smallSize = 64 << 10
  /// The maximum size of all larger answers together.
  private static let limit = 256 << 20

  private let size = Monitor(0)

  /// Adds an answer. An answer that is larger than the limit is accepted when there is no other.
  ///
  /// - Returns: Whether there is room for it; then it must be removed.
  func add(_ count: Int) -> Bool {
    guard count > Self.smallSize else { return true }
    return size.withLock { size in
      guard size == 0 || size + count <= Self.limit else { return false }
      size += count
      return true
    }
  }

  /// Removes an answer.
  func remove(_ count: Int) {
    if count > Self.smallSize { size.withLock { $0 -= count } }
  }
}
