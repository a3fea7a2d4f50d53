/// Arrays that are refilled repeatedly and keep their memory, so that reading a frame allocates nothing once the
/// arrays have grown to its size. An array with another reference is copied as usual.
extension Array where Element: Numeric {
  /// Sets the count of the array; its contents are unspecified afterwards.
  mutating func resize(to newCount: Int) {
    if newCount <= count {
      removeLast(count - newCount)
    } else {
      reserveCapacity(newCount)
      append(contentsOf: repeatElement(0, count: newCount - count))
    }
  }

  /// Sets the count of the array, and every element to the same value.
  mutating func refill(_ value: Element, count newCount: Int) {
    resize(to: newCount)
    // Safety: every element of the array's own buffer is assigned.
    unsafe withUnsafeMutableBufferPointer { unsafe $0.update(repeating: value) }
  }
}
