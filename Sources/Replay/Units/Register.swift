/// Assigns dense indices to values, in order of first appearance.
struct Register<Value: Hashable & Sendable>: Sendable {
  /// The values by their indices.
  private(set) var values: [Value] = []
  private var indices: [Value: UInt32] = [:]
  /// The indices of the values of the batch that were looked up.
  private var batch = BatchNumbers()

  /// Creates a register of the values that have the first indices.
  init(_ values: [Value] = []) {
    for value in values { _ = index(of: value) }
  }

  /// Returns the index of a value, adding the value if needed.
  mutating func index(of value: Value) -> UInt32 {
    if let index = indices[value] { return index }
    let index = UInt32(truncatingIfNeeded: values.count)
    values.append(value)
    indices[value] = index
    return index
  }

  /// Returns the index of the value that has a number in the current batch.
  ///
  /// - Parameters:
  ///   - number: The number.
  ///   - value: Returns the value, the first time that the batch has it.
  /// - Returns: The index.
  @inline(__always)
  mutating func index(ofNumber number: UInt32, _ value: () -> Value) -> UInt32 {
    if let index = batch[number] { return index }
    let index = index(of: value())
    batch.add(index, for: number)
    return index
  }

  /// Forgets the numbers of the current batch, because the next batch numbers values anew.
  mutating func beginBatch() { batch.removeAll() }

  /// Adds the values of another register.
  ///
  /// - Returns: For each index there, the one here.
  mutating func add(_ other: Register) -> [UInt32] { other.values.map { index(of: $0) } }
}
