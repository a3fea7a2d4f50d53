import EventLog

/// A keyed digest of 128 bits of the bytes of a file, which are added in pieces of any size.
///
/// Two lanes fold 16 bytes each by a product of 128 bits, as in wyhash (https://github.com/wangyi-fudan/wyhash). Who
/// does not know the key cannot choose another file with the same digest.
struct ContentDigest: Sendable {
  private static let stripe = 32

  private let key: FingerprintKey
  private var lanes: (UInt64, UInt64)
  private var last: UInt8?
  /// The bytes after the last whole stripe.
  private var rest: [UInt8] = []
  /// The number of bytes so far.
  private(set) var byteCount: Int64 = 0

  init(key: FingerprintKey) {
    self.key = key
    lanes = (key.second, key.first)
    rest.reserveCapacity(Self.stripe)
  }

  /// Whether the last byte so far ends a line.
  var endsLine: Bool { last == UInt8(ascii: "\n") }

  /// Adds bytes.
  mutating func add(_ bytes: RawSpan) {
    guard bytes.byteCount > 0 else { return }
    byteCount += Int64(bytes.byteCount)
    // Safety: the offset is below the count, which the load checks; a byte has no wrong value.
    last = unsafe bytes.unsafeLoad(fromByteOffset: bytes.byteCount - 1, as: UInt8.self)
    var next = 0
    if !rest.isEmpty {
      next = min(Self.stripe - rest.count, bytes.byteCount)
      for offset in 0..<next {
        // Safety: the offset is below the count, which the load checks; a byte has no wrong value.
        rest.append(unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
      }
      guard rest.count == Self.stripe else { return }
      let stripe = rest
      // Safety: bytes have no padding.
      unsafe Self.fold(stripe.span.bytes, at: 0, key, &lanes)
      rest.removeAll(keepingCapacity: true)
    }
    while next + Self.stripe <= bytes.byteCount {
      Self.fold(bytes, at: next, key, &lanes)
      next += Self.stripe
    }
    while next < bytes.byteCount {
      // Safety: as above.
      rest.append(unsafe bytes.unsafeLoad(fromByteOffset: next, as: UInt8.self))
      next += 1
    }
  }

  /// Returns the digest of the bytes so far.
  func value() -> Fingerprint {
    var end = self
    let count = UInt64(byteCount)
    let stripe = rest + [UInt8](repeating: 0, count: Self.stripe - rest.count)
    // Safety: bytes have no padding.
    unsafe Self.fold(stripe.span.bytes, at: 0, key, &end.lanes)
    let (a, b) = end.lanes
    let high = Self.product(a ^ count, b ^ key.first)
    return Fingerprint(high: high, low: Self.product(a ^ key.second, b &+ high))
  }

  @inline(__always)
  private static func fold(
    _ bytes: RawSpan, at offset: Int, _ key: FingerprintKey, _ lanes: inout (UInt64, UInt64)
  ) {
    lanes.0 = product(word(bytes, offset) ^ key.first, word(bytes, offset + 8) ^ lanes.0)
    lanes.1 = product(word(bytes, offset + 16) ^ key.second, word(bytes, offset + 24) ^ lanes.1)
  }

  @inline(__always)
  private static func word(_ bytes: RawSpan, _ offset: Int) -> UInt64 {
    // Safety: the load checks that the eight bytes are in the span; every bit pattern is a number.
    unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  @inline(__always)
  private static func product(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
}
