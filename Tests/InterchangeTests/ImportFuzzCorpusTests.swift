import Foundation
import TestSupport
import Testing

@Suite("Fuzz targets of the importers")
struct ImportFuzzCorpusTests {
  private static let corpora =
    URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().path + "/Fuzz/Corpora/"

  private func corpus(_ target: ImportFuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
    let folder = Self.corpora + target.rawValue
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    return try names.map { name in
      (name, Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))))
    }
  }

  @Test("take every input of their corpora", arguments: ImportFuzzTarget.allCases)
  func corpora(target: ImportFuzzTarget) throws {
    let inputs = try corpus(target)
    #expect(!inputs.isEmpty)
    for input in inputs {
      #expect(throws: Never.self, "\(input.name)") { try target.run(input.bytes) }
    }
  }

  @Test("take these with a few bytes changed", arguments: ImportFuzzTarget.allCases)
  func mutated(target: ImportFuzzTarget) throws {
    var random = SeededGenerator(seed: 17)
    let inputs = try corpus(target)
    for round in 0..<20 {
      var bytes = inputs[round % inputs.count].bytes
      for _ in 0...random.index(3) where !bytes.isEmpty {
        bytes[random.index(bytes.count)] = random.pick(
          [0, 0x0A, 0x22, 0x7B, 0xFF, UInt8(truncatingIfNeeded: random.next())], or: 0)
      }
      #expect(throws: Never.self, "round \(round)") { try target.run(bytes) }
    }
  }
}
