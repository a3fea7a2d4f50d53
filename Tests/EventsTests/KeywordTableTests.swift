import TestSupport
import Testing

@testable import Events

@Suite("Name table")
struct NameTableTests {
  private let table = KeywordTable(JSONLineField.allCases.map { ($0.name, $0) })

  private func find(_ name: String, padding: String = "") -> JSONLineField? {
    let bytes = Array((name + padding).utf8)
    return table.value(at: 0, count: name.utf8.count, in: bytes.span)
  }

  @Test("finds every key, wherever it stands in the line", arguments: JSONLineField.allCases)
  func keys(field: JSONLineField) {
    for count in 0..<30 {
      #expect(find(field.name, padding: String(repeating: "z", count: count)) == field)
    }
  }

  @Test("finds nothing else", arguments: 0..<4)
  func others(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let names = Set(JSONLineField.allCases.map(\.name))
    for _ in 0..<5_000 {
      var name = Array(generator.pick(Array(names).sorted(), or: "type").utf8)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: name.removeLast()
      case 1: name.append(UInt8.random(in: 0...1, using: &generator))
      case 2: name[name.count - 1] ^= 1 << UInt8.random(in: 0..<7, using: &generator)
      default: name += Array("abcdefghijklmnopqrstuvwxyz".utf8)
      }
      let text = String(decoding: name, as: UTF8.self)
      #expect(find(text)?.name == (names.contains(text) ? text : nil), "seed \(seed): \(text)")
    }
    #expect(find("") == nil)
  }

  @Test("holds the longest names of kinds")
  func kinds() {
    let kinds = KeywordTable(EventKind.allCases.map { ($0.name, $0) })
    for kind in EventKind.allCases {
      let bytes = Array(kind.name.utf8)
      #expect(kinds.value(at: 0, count: bytes.count, in: bytes.span) == kind)
    }
  }
}
