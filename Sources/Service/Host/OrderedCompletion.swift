internal import Threads

/// Turns that threads take one after the other, in the order of their numbers from 0 on: what each of them has prepared
/// is then finished in order.
final class OrderedCompletion: Sendable {
  /// The number whose turn it is; nil after one that failed.
  private let next = Monitor<Int?>(0)

  /// Waits for the turn of a number, and calls the closure. After one that threw no later number gets its turn.
  ///
  /// - Returns: Whether the number got its turn.
  /// - Throws: What the closure throws.
  func take(_ number: Int, _ body: () throws -> Void) throws -> Bool {
    let isGranted = next.wait { next in
      guard let next else { return false }
      return next == number ? true : nil
    }
    guard isGranted else { return false }
    do {
      try body()
      pass(to: number + 1)
      return true
    } catch {
      pass(to: nil)
      throw error
    }
  }

  private func pass(to number: Int?) {
    next.withLock { next in
      next = number
      self.next.announce()
    }
  }
}
