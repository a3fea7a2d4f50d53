/// The runs that an evaluation predicts: every so many of all. Their numbers within the slice follow from their
/// numbers without a table.
///
/// All takes are learned by the pools of every slice, so the predictions do not depend on the slicing.
package struct RunSlice: Sendable {
  /// The number of the slice.
  package let number: UInt32
  /// The number of slices.
  package let count: UInt32

  /// The slice of all runs.
  package static let all = RunSlice(0, of: 1)

  /// Creates the slice of a number, from 0, among some.
  package init(_ number: Int, of count: Int) {
    (self.number, self.count) = (
      UInt32(truncatingIfNeeded: number), max(1, UInt32(truncatingIfNeeded: count))
    )
  }

  /// Returns the number within the slice of a run; nil if the run is in another.
  @inline(__always)
  package func place(of run: UInt32) -> UInt32? {
    run % count == number ? run / count : nil
  }
}
