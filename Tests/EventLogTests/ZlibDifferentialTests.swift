import CZlib
import TestSupport
import Testing

@testable import EventLog

@Suite("DEFLATE streams, compared with plain calls of zlib")
struct ZlibDifferentialTests {
  /// What zlib itself makes of the stream: its bytes, or nil unless they are exactly as many as announced
  /// and nothing follows them. A byte of room more tells a stream that is longer.
  private static func plain(_ stored: [UInt8], rawCount: Int) -> [UInt8]? {
    var stream = unsafe z_stream()
    var input = stored + [0]
    var output = [UInt8](repeating: 0, count: rawCount + 1)
    guard unsafe bandolier_inflate_init(&stream, -15) == Z_OK else { return nil }
    defer { _ = unsafe inflateEnd(&stream) }
    // Safety: both buffers live as long as the closures, and the counts end within them.
    let isWhole = unsafe input.withUnsafeMutableBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe stream.next_in = input.baseAddress
        unsafe stream.avail_in = UInt32(stored.count)
        unsafe stream.next_out = output.baseAddress
        unsafe stream.avail_out = UInt32(output.count)
        let code = unsafe inflate(&stream, Z_FINISH)
        return unsafe code == Z_STREAM_END && stream.avail_in == 0
          && stream.total_out == UInt(rawCount)
      }
    }
    return isWhole ? Array(output.prefix(rawCount)) : nil
  }

  private static func isAgreed(_ stored: [UInt8], rawCount: Int) -> Bool {
    let own = try? Deflate.decompress(stored.span, rawCount: rawCount)
    return own == plain(stored, rawCount: rawCount)
  }

  @Test(
    "intact, truncated, changed and random ones are accepted or refused alike, with the same bytes",
    arguments: 0..<UInt64(isLongTest ? 2_000 : 40))
  func agree(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let raw = ZlibTests.sample(random.index(3_000), using: &random)
    let strategies: [Deflate.Strategy] = [.standard, .huffmanOnly, .runLength]
    let stored = Deflate.compress(
      raw, level: random.index(10), strategy: strategies[random.index(3)])
    #expect(Self.plain(stored, rawCount: raw.count) == raw)
    for round in 0..<500 {
      var changed = stored
      switch round % 5 {
      case 0: changed.removeLast(random.index(changed.count + 1))
      case 1: changed.append(UInt8(truncatingIfNeeded: random.next()))
      case 2: changed = (0..<random.index(60)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      default:
        for _ in 0...random.index(3) {
          changed[random.index(changed.count)] ^= 1 << UInt8(random.index(8))
        }
      }
      let count = random.chance(0.8) ? raw.count : random.index(4_000)
      #expect(
        Self.isAgreed(changed, rawCount: count), "seed \(seed), round \(round), \(count) bytes")
    }
  }
}
