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

  @Test("a gzip file that is cut off gives its whole members and then says where it ends")
  func truncatedGzip() throws {
    let text = Array(String(repeating: "line\n", count: 1_000).utf8)
    let file = Gzip.member(text) + Gzip.member(Array("more\n".utf8))
    let path = try directory.write(Array(file.dropLast(3)), "cut.gz")
    var source = try ByteSource(path: path)
    let error = #expect(throws: ImportError.self) { while try source.extend() {} }
    #expect(error?.code == .truncatedGzip)
    #expect(error?.description.contains("\(file.count - 3) compressed bytes") == true)
    #expect(error?.description.contains("its first member is whole and was read") == true)
    #expect(Array(source.bytes[source.window]) == text)
    let two = failure(try directory.write(Array(file.prefix(2)), "two.gz"))
    #expect(two?.code == .truncatedGzip)
    #expect(two?.description.contains("nothing of it was read") == true)
    var flipped = Gzip.member(text) + file
    flipped[flipped.count - 6] ^= 1
    var damaged = try ByteSource(path: directory.write(flipped, "flipped.gz"))
    let found = #expect(throws: ImportError.self) { while try damaged.extend() {} }
    #expect(found?.code == .badData)
    #expect(found?.description.contains("its first 2 members are whole and were read") == true)
  }

  @Test(
    "nothing of a gzip member is read before its checksum was: a flipped bit, or a missing end, at any byte"
  )
  func unverified() throws {
    let parts = (0..<3).map { part in (0..<40).map { "\(part) line \($0)\n" }.joined() }
    let members = parts.map { Gzip.member(Array($0.utf8)) }
    let file = members.flatMap(\.self)
    let ends = [0, members[0].count, members[0].count + members[1].count, file.count]
    for place in 0..<file.count {
      var flipped = file
      flipped[place] ^= 0x10
      let whole = ends.lastIndex { $0 <= place } ?? 0
      for damaged in [flipped, Array(file.prefix(place))] where damaged.prefix(2) == file.prefix(2) {
        let content = content(damaged)
        // A flag or a time in the head of a member has no checksum.
        guard content.failed else { continue }
        #expect(content.text == parts[..<whole].joined(), "byte \(place)")
      }
    }
  }

  @Test("a long member is inflated twice, from a file and from a pipe, and is the same")
  func longMember() throws {
    let line = "0123456789abcdef,line of a long member\n"
    let text = Array((0..<200_000).map { "\($0),\(line)" }.joined().utf8)
    let file = Gzip.member(text) + Gzip.member(Array("end\n".utf8))
    let path = try directory.write(file, "long.gz")
    #expect(try readAll(path) == text + Array("end\n".utf8))
    let gzip = try VerifiedGzip(name: "pipe", file: nil, first: [], blockLength: 1 << 16)
    var rest = file[...]
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 100_000)
    while true {
      // Safety: the buffer outlives the closure.
      let count = try unsafe buffer.withUnsafeMutableBytes { buffer in
        try unsafe gzip.read(into: buffer) { (block) throws(ImportError) in
          let part = rest.prefix(block.count)
          block.replaceSubrange(..<part.count, with: part)
          rest = rest.dropFirst(part.count)
          return part.count
        }
      }
      if count == 0 { break }
      content += buffer[..<count]
    }
    #expect(content == text + Array("end\n".utf8))
  }

  /// Returns what is read of a file, and whether reading failed.
  private func content(_ bytes: [UInt8]) -> (text: String, failed: Bool) {
    guard let path = try? directory.write(bytes, "damaged.gz"),
      var source = try? ByteSource(path: path)
    else { return ("", true) }
    var failed = false
    do {
      while try source.extend() {}
    } catch {
      failed = true
    }
    return (String(decoding: source.bytes[source.window], as: UTF8.self), failed)
  }

  @Test(
    "a file that has to be unpacked says what it is and how",
    arguments: [
      ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00, 0x00], "xz -dc"), (Array("BZh91AY".utf8), "bzip2 -dc"),
      ([0x28, 0xB5, 0x2F, 0xFD, 0x04], "zstd -dc"), (Array("PK\u{3}\u{4}rest".utf8), "unzip -p"),
      (Array("FEA1 rest".utf8), "pyarrow"),
      (Gzip.member(Gzip.member(Array("text".utf8))), "gzip -dc"),
      (Gzip.member([UInt8](repeating: 0x61, count: 257) + Array("ustar".utf8)), "tar -xO"),
    ] as [([UInt8], String)])
  func packed(_ bytes: [UInt8], _ command: String) throws {
    let error = failure(try directory.write(bytes, "events.jsonl"))
    #expect(error?.code == .unknownFormat)
    #expect(error?.description.contains(command) == true)
    #expect(error?.description.contains("| bandolier import -") == true)
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
