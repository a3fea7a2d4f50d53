import Synchronization
import TestSupport
import Testing

@testable import Interchange

@Suite("Byte source")
struct ByteSourceTests {
  private let directory: TemporaryFolder

  init() throws {
    directory = try TemporaryFolder()
  }

  private func readAll(_ path: String) throws -> [UInt8] {
    var source = try ByteSource(path: path)
    while try source.extend() {}
    return Array(source.bytes[source.window])
  }

  private func failure(_ path: String) -> ImportError? {
    do {
      _ = try readAll(path)
      return nil
    } catch {
      return error as? ImportError
    }
  }

  @Test("plain and gzip files give the same bytes, whatever their names")
  func compression() throws {
    let text = Array("a,b\n1,2\n".utf8)
    #expect(try readAll(directory.write(text, "a.gz")) == text)
    #expect(try readAll(directory.write(Gzip.member(text), "b.csv")) == text)
    #expect(try readAll(directory.write(Gzip.member(text) + Gzip.member(text), "c")) == text + text)
    #expect(try readAll(directory.write([] as [UInt8], "d")).isEmpty)
    #expect(try readAll(directory.write([0x1F], "e")) == [0x1F])
  }

  @Test(
    "files of more than one block come whole, and memory stays at the blocks that are not consumed")
  func blocks() throws {
    var random = SeededGenerator(seed: 4)
    let text = (0..<3_500_000).map { _ in UInt8.random(in: 0...63, using: &random) }
    for path in [try directory.write(text, "plain"), try directory.write(Gzip.member(text), "gz")] {
      var source = try ByteSource(path: path)
      var seen: [UInt8] = []
      repeat {
        let count = min(source.window.count, Int.random(in: 1...900_000, using: &random))
        seen += source.bytes[source.window.prefix(count)]
        source.consume(count)
        #expect(source.offset == Int64(seen.count))
        #expect(source.bytes.count <= 4 << 20)
      } while try source.extend() || !source.window.isEmpty
      #expect(seen == text)
    }
  }

  @Test("reading ends where the wait for input says so, after what was read before")
  func interrupted() throws {
    let text = [UInt8](repeating: 0x61, count: 3_000_000)
    for path in [try directory.write(text, "plain"), try directory.write(Gzip.member(text), "gz")] {
      let reads = Atomic<Int>(0)
      var source = try ByteSource(path: path) { _ in
        reads.add(1, ordering: .relaxed).newValue <= 1
      }
      let error = #expect(throws: ImportError.self) { while try source.extend() {} }
      #expect(error?.code == .interrupted)
      #expect(error?.description == "\(path): interrupted")
      #expect(!source.window.isEmpty)
    }
  }

  @Test("a byte order mark at the very start is no text")
  func byteOrderMark() throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    #expect(try readAll(directory.write(mark + Array("x".utf8))) == Array("x".utf8))
    #expect(try readAll(directory.write(Gzip.member(mark + mark))) == mark)
    let source = try ByteSource(path: directory.write(mark + Array("xy".utf8)))
    #expect(source.offset == 3)
  }

  @Test("a missing file, a directory and a file that may not be read are told apart")
  func failures() throws {
    let missing = try #require(failure(directory.path + "/nothing.csv"))
    #expect(missing.code == .missingInput)
    #expect(missing.description.contains("nothing.csv"))
    #expect(failure(directory.path)?.code == .isDirectory)
    #expect(failure(directory.path)?.description.contains("name the files in it") == true)
    #expect(failure(try directory.write("x", "file") + "/below")?.code == .missingInput)
  }

  @Test("a gzip file that is cut off gives what it has and then says where it ends")
  func truncatedGzip() throws {
    let text = Array(String(repeating: "line\n", count: 1_000).utf8)
    let file = Gzip.member(text)
    let path = try directory.write(Array(file.dropLast(3)), "cut.gz")
    var source = try ByteSource(path: path)
    let error = #expect(throws: ImportError.self) { while try source.extend() {} }
    #expect(error?.code == .truncatedGzip)
    #expect(error?.description.contains("\(file.count - 3) compressed bytes") == true)
    #expect(Array(source.bytes[source.window]) == text)
    #expect(failure(try directory.write(Array(file.prefix(2)), "two.gz"))?.code == .truncatedGzip)
  }

  @Test("a gzip file that is damaged gives what stands before the damage, in reads of any size")
  func beforeDamage() throws {
    let text = (0..<400).map { "\($0) line\n" }.joined()
    var file = Gzip.member(Array(text.utf8))
    file[file.count / 2] ^= 0xFF
    var source = try ByteSource(path: directory.write(file))
    let error = #expect(throws: ImportError.self) { while try source.extend() {} }
    #expect(error?.code == .badData)
    #expect(source.window.count > 100)
    #expect(text.utf8.starts(with: source.bytes[source.window].prefix(100)))
  }

  @Test("a gzip file with something behind it, or with a flipped bit, is bad data")
  func damagedGzip() throws {
    let file = Gzip.member(Array("text".utf8))
    #expect(failure(try directory.write(file + [0, 0, 0], "a")) == nil)
    #expect(failure(try directory.write(file + [1], "b"))?.code == .badData)
    var flipped = file
    flipped[flipped.count - 5] ^= 4
    #expect(failure(try directory.write(flipped, "c"))?.code == .badData)
  }
}
