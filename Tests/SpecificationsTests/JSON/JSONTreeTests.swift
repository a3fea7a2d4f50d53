import Foundation
import Specifications
import TestSupport
import Testing

@Suite("JSON for people")
struct JSONTreeTests {
  @Test("members keep their order, a line for each, and those without a value are left out")
  func layout() {
    let tree = JSONTree.members([
      ("name", .text("a \"b\"\n")), ("none", nil), ("empty", .null),
      ("list", .list([.integer(1), .flag(true)])), ("nothing", .list([])),
      ("object", .members([("x", .texts(["é"]))])),
    ])
    let expected = #"""
      {
        "name": "a \"b\"\n",
        "empty": null,
        "list": [
          1,
          true
        ],
        "nothing": [],
        "object": {
          "x": [
            "é"
          ]
        }
      }

      """#
    #expect(String(decoding: tree.bytes(), as: UTF8.self) == expected)
  }

  @Test("lists and objects without others in them have one line")
  func innermost() {
    let tree = JSONTree.members([
      ("a", .list([.integer(1), .null])), ("b", .object([])), ("c", .unsigned(.max)),
      ("d", .list([.members([("x", .number(-0.0)), ("y", .number(.nan))])])),
    ])
    let expected = #"""
      {
        "a": [1, null],
        "b": {},
        "c": 18446744073709551615,
        "d": [
          {"x": -0.0, "y": null}
        ]
      }

      """#
    #expect(String(decoding: tree.bytes(.innermost), as: UTF8.self) == expected)
  }

  @Test("lists and objects have one line where that fits")
  func fitting() {
    let tree = JSONTree.members([
      ("short", .numbers([1, 2])), ("long", .texts(["abcdef", "ghijkl", "mnopqr"])),
    ])
    let expected = #"""
      {
        "short": [1, 2],
        "long": [
          "abcdef",
          "ghijkl",
          "mnopqr"
        ]
      }

      """#
    #expect(String(decoding: tree.bytes(.fitting(columns: 30)), as: UTF8.self) == expected)
    let line = #"{"short": [1, 2], "long": ["abcdef", "ghijkl", "mnopqr"]}"# + "\n"
    #expect(String(decoding: tree.bytes(.fitting(columns: 99)), as: UTF8.self) == line)
  }

  private let layouts: [JSONTree.Layout] = [.lines, .innermost, .fitting(columns: 30)]

  private func text(_ random: inout SeededGenerator) -> String {
    let pieces = [
      "a", "é", "\"", "\\", "\n", "\u{8}", "\u{C}", "\u{0}", "\u{1F}", "\u{7F}", "\u{85}",
      "\u{FEFF}",
      "\u{2028}", "/", "東京", "😀", "\u{A0}",
    ]
    return (0..<Int.random(in: 0..<6, using: &random)).map { _ in
      pieces.randomElement(using: &random) ?? ""
    }.joined()
  }

  private func tree(_ random: inout SeededGenerator, depth: Int) -> JSONTree {
    switch Int.random(in: 0..<(depth > 4 ? 3 : 5), using: &random) {
    case 0: return .text(text(&random))
    case 1: return .number(finiteNumber(&random))
    case 2: return .flag(Bool.random(using: &random))
    case 3:
      return .list(
        (0..<Int.random(in: 0..<4, using: &random)).map { _ in tree(&random, depth: depth + 1) })
    default:
      return .object(
        (0..<Int.random(in: 0..<4, using: &random)).map {
          .init("\($0)" + text(&random), tree(&random, depth: depth + 1))
        })
    }
  }

  /// The tree with the members of each object sorted by name.
  private func sorted(_ tree: JSONTree) -> JSONTree {
    switch tree {
    case .list(let elements): .list(elements.map(sorted))
    case .object(let members):
      .object(
        members.map { .init($0.name, sorted($0.value)) }.sorted {
          $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
        })
    default: tree
    }
  }

  @Test("Foundation reads every layout back", arguments: 0..<20)
  func roundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      let tree = tree(&random, depth: 0)
      for layout in layouts {
        let bytes = tree.bytes(layout)
        let read = try JSONDecoder().decode(JSONTree.self, from: Data(bytes))
        #expect(sorted(read) == sorted(tree), "seed \(seed)")
      }
      // What a terminal interprets is escaped where people look.
      let shown = String(decoding: tree.bytes(), as: UTF8.self).unicodeScalars
      #expect(
        shown.allSatisfy {
          $0 == "\n" || $0.properties.generalCategory != .control && $0 != "\u{FEFF}"
        }, "seed \(seed)")
    }
  }
}
