internal import Platform

/// Memory for events that is filled from its beginning, in large pages where the system has them: events are written to
/// and read from many places of it at once, each of which would need a page of its own.
@safe
final class EventSlab: Sendable {
  /// The events of a slab, unless more are needed at once: a large page.
  static let standardCapacity = (1 << 21) / MemoryLayout<UnitEvent>.stride

  /// The number of events for which there is memory.
  let capacity: Int
  // Safety: the memory is for as many events as the capacity, and is freed with the slab. Its owner alone writes to it,
  // each place once, and shares it only with those who read.
  private nonisolated(unsafe) let memory: UnsafeMutablePointer<UnitEvent>

  /// Creates a slab.
  ///
  /// - Parameters:
  ///   - count: The number of events for which there must be room.
  ///   - isLast: Whether no other events follow.
  init(atLeast count: Int, isLast: Bool) {
    capacity = isLast ? count : max(count, Self.standardCapacity)
    let byteCount = capacity * MemoryLayout<UnitEvent>.stride
    let isLarge = capacity >= Self.standardCapacity
    let bytes = UnsafeMutableRawPointer.allocate(
      byteCount: byteCount, alignment: isLarge ? 1 << 21 : MemoryLayout<UnitEvent>.alignment)
    // Safety: there is room for as many events as the capacity, each of which is initialized before it is read.
    if isLarge {
      unsafe SystemLimits.adviseLargePages(
        UnsafeMutableRawBufferPointer(start: bytes, count: byteCount))
    }
    unsafe memory = bytes.bindMemory(to: UnitEvent.self, capacity: capacity)
  }

  // Safety: the last reference is gone.
  deinit { unsafe memory.deallocate() }

  /// Calls the closure with the memory of some events, which it must initialize.
  ///
  /// - Precondition: The range is within the capacity.
  func fill(_ range: Range<Int>, _ body: (UnsafeMutablePointer<UnitEvent>) -> Void) {
    precondition(range.lowerBound >= 0 && range.upperBound <= capacity, "beyond the slab")
    // Safety: the range is within the memory.
    unsafe body(memory + range.lowerBound)
  }

  /// Calls the closure with events that were filled in.
  ///
  /// - Precondition: The range is within the capacity.
  @inline(__always)
  func read<Answer>(_ range: Range<Int>, _ body: (UnsafeBufferPointer<UnitEvent>) -> Answer)
    -> Answer
  {
    precondition(range.lowerBound >= 0 && range.upperBound <= capacity, "beyond the slab")
    // Safety: the range is within the memory.
    return unsafe body(
      UnsafeBufferPointer(start: memory + range.lowerBound, count: range.count))
  }
}
