import TestSupport
import Testing

@testable import EventLog

@Suite("Zlib")
struct ZlibTests {
  static func sample(_ count: Int, using random: inout SeededGenerator) -> [UInt8] {
    let alphabet = UInt8.random(in: 0...255, using: &random)
    return (0..<count).map { _ in UInt8.random(in: 0...alphabet, using: &random) }
  }

  @Test("compressed bytes round-trip", arguments: [0, 1, 6, 9], [0, 1, 2])
  func roundTrip(level: Int, strategy: Int) throws {
    var random = SeededGenerator(seed: UInt64(level * 10 + strategy))
    let strategies: [Deflate.Strategy] = [.standard, .huffmanOnly, .runLength]
    for count in [0, 1, 2, 7, 100, 5_000, 70_000] {
      let bytes = Self.sample(count, using: &random)
      let stored = Deflate.compress(bytes, level: level, strategy: strategies[strategy])
      #expect(try Deflate.decompress(stored.span, rawCount: count) == bytes)
    }
  }

  @Test("a level outside 0...9 is clamped")
  func levels() throws {
    let bytes = [UInt8](repeating: 7, count: 1_000)
    #expect(Deflate.compress(bytes, level: -5) == Deflate.compress(bytes, level: 0))
    #expect(Deflate.compress(bytes, level: 99) == Deflate.compress(bytes, level: 9))
  }

  @Test(
    "the stored form, for when zlib has no memory, is DEFLATE",
    arguments: [0, 1, 65_535, 65_536, 200_000])
  func storedBlocks(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    #expect(try Deflate.decompress(Deflate.stored(bytes.span).span, rawCount: count) == bytes)
  }

  @Test("truncation, an extra byte, and another declared length are errors")
  func exactness() {
    var random = SeededGenerator(seed: 11)
    for count in [1, 50, 3_000] {
      let bytes = Self.sample(count, using: &random)
      let stored = Deflate.compress(bytes)
      #expect(code(stored + [0], count) == .trailingBytes)
      #expect(code(stored, count + 1) == .tooShort)
      #expect(code(stored, count - 1) == .tooLong)
      for cut in 0..<min(stored.count, 200) {
        #expect(code(Array(stored[..<cut]), count) != nil)
      }
    }
    #expect(code([], 0) == .truncated)
    #expect(code([0xFF], 3) == .damaged)
  }

  @Test("a decompression bomb stops at the declared length, and impossible lengths are refused")
  func bombs() {
    let bomb = Deflate.compress([UInt8](repeating: 0, count: 10_000_000))
    #expect(code(bomb, 100) == .tooLong)
    #expect(code(bomb, .max) == .tooShort)
    #expect(code(bomb, -1) == .damaged)
    #expect(code([3, 0], 1 << 40) == .tooShort)
  }

  @Test("a flipped bit is an error or other bytes of the same length, never a crash")
  func flippedBits() {
    var random = SeededGenerator(seed: 5)
    let bytes = Self.sample(2_000, using: &random)
    let stored = Deflate.compress(bytes)
    for index in stored.indices {
      var damaged = stored
      damaged[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      let result = try? Deflate.decompress(damaged.span, rawCount: bytes.count)
      #expect(result.map { $0.count } ?? bytes.count == bytes.count)
    }
  }

  private func code(_ stored: [UInt8], _ rawCount: Int) -> ZlibError.Code? {
    do throws(ZlibError) {
      _ = try Deflate.decompress(stored.span, rawCount: rawCount)
      return nil
    } catch {
      return error.code
    }
  }
}

@Suite("Gzip inflater")
struct GzipInflaterTests {
  @Test("members follow each other, in blocks of any size, and zeros may follow them")
  func members() throws {
    var random = SeededGenerator(seed: 3)
    for round in 0..<60 {
      var text: [UInt8] = []
      var file: [UInt8] = []
      for _ in 0...(round % 3) {
        let part = ZlibTests.sample(Int.random(in: 0...4_000, using: &random), using: &random)
        text += part
        file += Gzip.member(part)
      }
      if round % 2 == 1 { file += [UInt8](repeating: 0, count: round * 20) }
      let size = Int.random(in: 1...3_000, using: &random)
      #expect(try inflate(file, inputSize: size, outputSize: 4_001 - size) == text)
    }
  }

  @Test("a truncated stream is reported, with the compressed offset")
  func truncation() {
    let file = Gzip.member(Array("hello, hello, hello".utf8)) + Gzip.member(Array("more".utf8))
    let first = Gzip.member(Array("hello, hello, hello".utf8)).count
    for cut in 0..<file.count where cut != first {
      let error = failure(Array(file[..<cut]))
      #expect(error?.code == .truncated)
      #expect(error?.offset == Int64(cut))
      #expect(error?.description.contains("compressed byte \(cut)") == true)
    }
  }

  @Test("nonzero bytes after the last member are an error, after all output was returned")
  func trailingGarbage() throws {
    let text = Array("a line\n".utf8)
    for garbage: [UInt8] in [[1], [0, 0, 1], [0x1F, 0x00], Array("trailer".utf8)] {
      let file = Gzip.member(text) + garbage
      #expect(failure(file)?.code == .trailingBytes)
      var seen: [UInt8] = []
      _ = try? inflate(file, inputSize: file.count, outputSize: 1_000) { seen += $0 }
      #expect(seen == text)
    }
  }

  @Test("bytes that are not gzip, a flipped bit and a wrong checksum are damage")
  func damage() {
    #expect(failure(Array("plain text".utf8))?.code == .damaged)
    var file = Gzip.member(Array("some text that is long enough".utf8))
    file[file.count - 6] ^= 1
    #expect(failure(file)?.code == .damaged)
    file = Gzip.member(Array("some text".utf8))
    file[file.count - 1] ^= 1
    #expect(failure(file)?.code == .damaged)
  }

  private func failure(_ file: [UInt8]) -> ZlibError? {
    do {
      _ = try inflate(file, inputSize: 7, outputSize: 5)
      return nil
    } catch {
      return error as? ZlibError
    }
  }

  @discardableResult
  private func inflate(
    _ file: [UInt8], inputSize: Int, outputSize: Int, piece: ([UInt8]) -> Void = { _ in }
  ) throws -> [UInt8] {
    let inflater = try GzipInflater()
    var result: [UInt8] = []
    var output = [UInt8](repeating: 0, count: max(1, outputSize))
    var start = 0
    while start < file.count {
      let end = min(start + inputSize, file.count)
      let step = try unsafe file.withUnsafeBytes { bytes in
        try unsafe output.withUnsafeMutableBytes { output in
          try unsafe inflater.inflate(
            UnsafeRawBufferPointer(rebasing: bytes[start..<end]), into: output)
        }
      }
      start += step.consumed
      piece(Array(output[..<step.produced]))
      result += output[..<step.produced]
    }
    try inflater.finish()
    #expect(inflater.compressedOffset == Int64(file.count))
    return result
  }
}
