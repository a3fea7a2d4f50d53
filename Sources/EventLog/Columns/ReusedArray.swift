/// Arrays that are filled again and again and keep their memory, so that reading a frame allocates nothing
/// once the arrays have grown to its size. An array that somebody else keeps a copy of is left to them.
extension Array where Element: Numeric {
  /// Gives the array a count; what it holds then means nothing.
  mutating func resize(to newCount: Int) {
    if newCount <= count {
      removeLast(count - newCount)
    } else {
      reserveCapacity(newCount)
      append(contentsOf: repeatElement(0, count: newCount - count))
    }
  }

  /// Gives the array a count and every element the same value.
  mutating func refill(_ value: Element, count newCount: Int) {
    resize(to: newCount)
    // Safety: every element of the array's own buffer is given a value.
    unsafe withUnsafeMutableBufferPointer { unsafe $0.update(repeating: value) }
  }
}
