internal import CMemory
internal import Platform

/// Memory for tables that are looked at in one place after the other, far apart.
package enum LargeTable {
  /// The size from which a table asks for large pages, in bytes, and the alignment of that part of it.
  private static let (leastByteCount, alignment) = (1 << 22, 1 << 16)

  /// Returns an array of equal elements, in large pages where the system has them: otherwise nearly every look at
  /// another place would also look for the page.
  package static func array<Element: BitwiseCopyable>(
    repeating element: Element, count: Int
  ) -> [Element] {
    // Safety: all elements of the array are initialized before it counts them, and the advice is about its memory.
    unsafe [Element](unsafeUninitializedCapacity: count) { elements, initializedCount in
      let bytes = UnsafeMutableRawBufferPointer(elements)
      if bytes.count >= leastByteCount, let start = bytes.baseAddress {
        let aligned = unsafe start.alignedUp(toMultipleOf: alignment)
        unsafe SystemLimits.adviseLargePages(
          UnsafeMutableRawBufferPointer(start: aligned, count: bytes.count - (aligned - start)))
      }
      unsafe elements.initialize(repeating: element)
      initializedCount = count
    }
  }

  /// Has the processor load an element of an array into its cache, without waiting for it.
  @inline(__always)
  static func prefetch<Element: BitwiseCopyable>(_ elements: [Element], _ index: Int) {
    // Safety: nothing is read; any address will do.
    unsafe elements.withUnsafeBufferPointer { unsafe bandolier_prefetch($0.baseAddress?.advanced(by: index)) }
  }
}
