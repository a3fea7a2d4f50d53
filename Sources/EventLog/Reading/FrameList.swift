/// The frames of a log in order. Appending to a copy costs O(new frames): copies share all but the last few.
package struct FrameList: RandomAccessCollection, Sendable {
  private static let partCount = 256

  /// All but the last have `partCount` frames.
  private var parts: [[FrameInfo]] = []
  /// The number of frames.
  package private(set) var endIndex = 0

  /// Creates an empty list.
  init() {}

  /// 0.
  package var startIndex: Int { 0 }

  /// Returns the frame with a number, from 0.
  package subscript(number: Int) -> FrameInfo {
    parts[number / Self.partCount][number % Self.partCount]
  }

  mutating func append(_ frame: FrameInfo) {
    if endIndex % Self.partCount == 0 { parts.append([]) }
    parts[parts.count - 1].append(frame)
    endIndex += 1
  }

  /// Removes the frames from a number on.
  mutating func removeAll(from number: Int) {
    guard number < endIndex else { return }
    endIndex = number
    let (full, rest) = number.quotientAndRemainder(dividingBy: Self.partCount)
    parts.removeLast(parts.count - full - (rest > 0 ? 1 : 0))
    if rest > 0 { parts[full].removeLast(parts[full].count - rest) }
  }
}
