/// A list of bits as Arrow stores them: the lowest bit of the first byte first.
public struct ArrowBitmap: Sendable {
  /// The bits; those behind the last one are 0.
  public private(set) var bytes: [UInt8] = []
  /// The number of bits.
  public private(set) var count = 0
  /// The number of bits that are set.
  public private(set) var setCount = 0

  /// Creates an empty list.
  public init() {}

  /// Creates a list of equal bits.
  public init(repeating value: Bool, count: Int) {
    bytes = [UInt8](repeating: value ? 0xFF : 0, count: (count + 7) / 8)
    if value, count % 8 != 0 { bytes[bytes.count - 1] = (1 << (count % 8)) - 1 }
    self.count = count
    setCount = value ? count : 0
  }

  /// Creates a list of so many bits, of which those are set for which the closure returns true.
  @inlinable
  public init(count: Int, where isSet: (Int) -> Bool) {
    var bytes = [UInt8](repeating: 0, count: (count + 7) / 8)
    var setCount = 0
    for place in bytes.indices {
      var byte: UInt8 = 0
      for index in 8 * place..<min(8 * place + 8, count) {
        byte |= (isSet(index) ? 1 : 0) << UInt8(index & 7)
      }
      bytes[place] = byte
      setCount += byte.nonzeroBitCount
    }
    self.init(bytes, count: count, setCount: setCount)
  }

  /// Creates a list of bits that were counted.
  @usableFromInline
  init(_ bytes: [UInt8], count: Int, setCount: Int) {
    (self.bytes, self.count, self.setCount) = (bytes, count, setCount)
  }

  /// Appends a bit.
  public mutating func append(_ value: Bool) {
    let bit: UInt8 = value ? 1 : 0
    if count & 7 == 0 { bytes.append(bit) } else { bytes[count >> 3] |= bit << (count & 7) }
    count += 1
    setCount += Int(bit)
  }

  /// The bit at an index below ``count``.
  public subscript(index: Int) -> Bool { bytes[index >> 3] >> (index & 7) & 1 != 0 }
}
