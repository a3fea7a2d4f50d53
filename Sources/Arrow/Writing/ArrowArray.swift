/// The values of a column, ready to be written: its buffers, and those of the columns that it contains.
public struct ArrowArray: Sendable {
  /// The number of rows.
  public var count: Int
  /// The number of rows that are null.
  public var nullCount: Int
  /// The buffers in the order of the format, of which the first says which rows are not null.
  public var buffers: [[UInt8]]
  /// The columns that it contains.
  public var children: [ArrowArray] = []

  @usableFromInline
  init(_ count: Int, _ valid: ArrowBitmap?, _ buffers: [[UInt8]]) {
    self.count = count
    nullCount = valid.map { count - $0.setCount } ?? 0
    self.buffers = [nullCount == 0 ? [] : valid?.bytes ?? []] + buffers
  }

  /// Creates a column of nulls.
  public init(nulls count: Int) {
    self.init(count, nil, [])
    nullCount = count
    buffers = []
  }

  /// Creates a column of values of one width: integers, times, floating-point numbers, or indices of a dictionary.
  ///
  /// - Parameters:
  ///   - values: A value for each row, any for one that is null.
  ///   - valid: The rows that are not null; nil if none is.
  public init<Value: BitwiseCopyable>(_ values: [Value], valid: ArrowBitmap? = nil) {
    self.init(values.count, valid, [Self.bytes(of: values)])
  }

  /// Creates a column of values of one width.
  ///
  /// - Parameters:
  ///   - count: The number of rows.
  ///   - valid: The rows that are not null; nil if none is.
  ///   - value: Returns the value of a row, any for one that is null.
  @inlinable
  public init<Value: BitwiseCopyable>(
    count: Int, valid: ArrowBitmap? = nil, value: (Int) -> Value
  ) {
    let width = MemoryLayout<Value>.stride
    // Safety: every value is stored within the capacity, at a place that is aligned as the array's memory is; the
    // values have no references.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count * width) { buffer, used in
      let raw = UnsafeMutableRawBufferPointer(buffer)
      for row in 0..<count {
        unsafe raw.storeBytes(of: value(row), toByteOffset: row * width, as: Value.self)
      }
      used = count * width
    }
    self.init(count, valid, [bytes])
  }

  /// Creates a column of truth values.
  public init(_ values: ArrowBitmap, valid: ArrowBitmap? = nil) {
    self.init(values.count, valid, [values.bytes])
  }

  /// Creates a column of texts or byte strings.
  ///
  /// - Parameters:
  ///   - ends: The end of each text in the bytes, from 0 on, so that there is one more than rows.
  ///   - bytes: The texts, one behind the other.
  ///   - valid: The rows that are not null; nil if none is.
  public init(ends: [Int32], bytes: [UInt8], valid: ArrowBitmap? = nil) {
    self.init(ends.count - 1, valid, [Self.bytes(of: ends), bytes])
  }

  /// Creates a column of lists, or of maps, whose elements are structs of a key and a value.
  ///
  /// - Parameters:
  ///   - ends: The end of each list among the elements, from 0 on, so that there is one more than rows.
  ///   - elements: The elements of all lists.
  ///   - valid: The rows that are not null; nil if none is.
  public init(ends: [Int32], elements: ArrowArray, valid: ArrowBitmap? = nil) {
    self.init(ends.count - 1, valid, [Self.bytes(of: ends)])
    children = [elements]
  }

  /// Creates a column of structs, whose fields have as many rows.
  public init(fields: [ArrowArray], count: Int, valid: ArrowBitmap? = nil) {
    self.init(count, valid, [])
    children = fields
  }

  private static func bytes<Value: BitwiseCopyable>(of values: [Value]) -> [UInt8] {
    // Safety: the bytes of values without references, copied at once. The machine is little-endian, as the format is.
    unsafe values.withUnsafeBytes { unsafe Array($0) }
  }
}
