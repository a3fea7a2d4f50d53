import EventLog
import TestSupport
import Testing

@testable import Interchange

@Suite("Digests of contents")
struct ContentDigestTests {
  private let key = FingerprintKey(first: 1, second: 2)

  private func digest(_ pieces: [ArraySlice<UInt8>]) -> Fingerprint {
    var digest = ContentDigest(key: key)
    for piece in pieces {
      let bytes = Array(piece)
      // Safety: bytes have no padding.
      unsafe digest.add(bytes.span.bytes)
    }
    return digest.value()
  }

  @Test("the digest is the same however the bytes are cut", arguments: UInt64(0)..<50)
  func pieces(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<random.index(300)).map { _ in UInt8.random(in: 0...255, using: &random) }
    var pieces: [ArraySlice<UInt8>] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + random.index(70))
      pieces.append(bytes[start..<end])
      start = end
    }
    #expect(digest(pieces) == digest([bytes[...]]), "seed \(seed)")
  }

  @Test("another byte, another length and another key give another digest")
  func differences() {
    let bytes = (0..<100).map { UInt8($0) }
    var digests: Set<Fingerprint> = [digest([bytes[...]])]
    for index in bytes.indices {
      var other = bytes
      other[index] ^= 1
      digests.insert(digest([other[...]]))
    }
    for count in 0..<100 { digests.insert(digest([bytes[..<count]])) }
    digests.insert(digest([(bytes + [0])[...]]))
    var other = ContentDigest(key: FingerprintKey(first: 2, second: 1))
    // Safety: bytes have no padding.
    unsafe other.add(bytes.span.bytes)
    digests.insert(other.value())
    #expect(digests.count == 203)
  }
}
