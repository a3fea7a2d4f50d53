import Foundation
import TestSupport
import Testing

@Suite("Fuzz targets")
struct FuzzCorpusTests {
  private static let corpora =
    URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().path + "/Fuzz/Corpora"

  @Test("take every input of their corpora", arguments: FuzzTarget.allCases)
  func corpus(target: FuzzTarget) throws {
    let folder = Self.corpora + "/" + target.rawValue
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(!names.isEmpty)
    for name in names {
      let bytes = try #require(FileManager.default.contents(atPath: folder + "/" + name))
      #expect(throws: Never.self, "\(name)") { try target.run(Array(bytes)) }
    }
  }

  @Test("take their seeds with a few bytes changed", arguments: FuzzTarget.allCases)
  func mutated(target: FuzzTarget) throws {
    var random = SeededGenerator(seed: 17)
    let seeds = try target.seeds()
    #expect(!seeds.isEmpty)
    for round in 0..<200 {
      var bytes = seeds[round % seeds.count].bytes
      for _ in 0...random.index(3) where !bytes.isEmpty {
        bytes[random.index(bytes.count)] = random.pick(
          [0, 1, 0x7F, 0x80, 0xFF, UInt8(truncatingIfNeeded: random.next())], or: 0)
      }
      #expect(throws: Never.self, "round \(round)") { try target.run(bytes) }
    }
  }
}
