import Deciding
import Events
import TestSupport
import Testing

/// A row of the table "Fallback grammar": `nil` where the table has a dash.
struct GrammarVector: Sendable, CustomTestStringConvertible {
  var id: String
  var text: String
  var single: String?
  var multi: [String]?

  var testDescription: String { id }

  static let all: [GrammarVector] = [
    GrammarVector(id: "CO-F1", text: "a,b", single: "a", multi: ["decision-1", "a"]),
    GrammarVector(id: "CO-F2", text: "", single: "", multi: ["decision-1", ""]),
    GrammarVector(id: "CO-F3", text: ",b", single: ""),
    GrammarVector(id: "CO-F8", text: " a,b", single: " a"),
    GrammarVector(
      id: "CO-F5", text: "color:red,blue/size:sm,md,lg", multi: ["color", "red", "size", "sm"]),
    GrammarVector(id: "CO-F6", text: "a,b/c,d", multi: ["decision-1", "a", "decision-2", "c"]),
    GrammarVector(id: "CO-F7", text: "c,d/color:a,b", multi: ["decision-1", "c", "color", "a"]),
    GrammarVector(id: "CO-F13", text: "a:b:c", multi: ["a", "b"]),
    GrammarVector(id: "CO-F16", text: ":x,y", multi: ["", "x"]),
  ]
}

@Suite("The text of choices")
struct ChoiceTextTests {
  private func flat(_ text: ChoiceText) -> [String] {
    text.slots.flatMap { [$0.slot, $0.choices?.first ?? "none"] }
  }

  @Test("falls back as the table says", arguments: GrammarVector.all)
  func vectors(_ vector: GrammarVector) {
    if let single = vector.single {
      #expect(flat(ChoiceText(single: vector.text)) == ["decision-1", single])
    }
    if let multi = vector.multi { #expect(flat(ChoiceText(multi: vector.text)) == multi) }
  }

  @Test("the single form has all its codes, as they stand")
  func single() {
    #expect(ChoiceText(single: "a, b,,c:d/e").slots.map(\.choices) == [["a", " b", "", "c:d/e"]])
  }

  @Test("a name that comes again replaces the choices and keeps the place")
  func repeatedNames() {
    #expect(
      ChoiceText(multi: "color:red/size:sm/color:blue,green").slots == [
        SlotChoices(slot: "color", choices: ["blue", "green"]),
        SlotChoices(slot: "size", choices: ["sm"]),
      ])
    #expect(flat(ChoiceText(multi: "decision-2:a/b")) == ["decision-2", "b"])
    #expect(
      flat(ChoiceText(multi: "x:a/x:b/c")) == ["x", "b", "decision-2", "c"],
      "the number counts names, not parts")
  }

  @Test("empty names and empty codes stay")
  func empty() {
    #expect(flat(ChoiceText(multi: "/color:")) == ["decision-1", "", "color", ""])
    #expect(flat(ChoiceText(multi: "::")) == ["", ""])
  }

  @Test("a separator in front of a combining character separates")
  func combining() {
    #expect(ChoiceText(single: "a,\u{301}b").slots.first?.choices == ["a", "\u{301}b"])
  }

  @Test("digits are a code in the text, and a number in an address")
  func digits() {
    #expect(ChoiceText(single: "3").slots.first?.choices == ["3"])
    #expect(ChoiceText(pathSegment: "3")?.slots.first?.choices == ["0", "1", "2"])
    #expect(ChoiceText(pathSegment: "3,4")?.slots.first?.choices == ["3", "4"])
    #expect(ChoiceText(pathSegment: "")?.slots.first?.choices == [""])
    for text in ["0", "10001", "99999999999999999999"] {
      #expect(ChoiceText(pathSegment: text) == nil)
    }
    #expect(ChoiceText(count: 10_000)?.slots.first?.choices?.last == "9999")
    for count in [0, -1, 10_001, .max, .min] { #expect(ChoiceText(count: count) == nil) }
  }

  @Test("parts that come separated may hold slashes")
  func parts() {
    #expect(
      ChoiceText(parts: ["color:a/b", "c"]).slots == [
        SlotChoices(slot: "color", choices: ["a/b"]),
        SlotChoices(slot: "decision-2", choices: ["c"]),
      ])
  }

  @Test("any text is read as a naive reader reads it", arguments: 0..<20)
  func randomTexts(chunk: UInt64) {
    for seed in chunk * 100..<chunk * 100 + 100 {
      var random = SeededGenerator(seed: seed)
      let pieces = ["a", "b", ",", ",", "/", "/", ":", ":", " ", "é", "1", "decision-1", "\u{301}"]
      let text = (0..<random.index(20)).map { _ in random.pick(pieces, or: "") }.joined()
      let read = ChoiceText(multi: text).slots.flatMap {
        [$0.slot] + ($0.choices ?? [])
      }
      #expect(read.map { Array($0.utf8) } == naive(text).map { Array($0.utf8) }, "seed \(seed)")
    }
  }

  /// The rules once more, scalar by scalar.
  private func naive(_ text: String) -> [String] {
    func cut(_ text: String, _ separator: Unicode.Scalar) -> [String] {
      text.unicodeScalars.reduce(into: [""]) { pieces, scalar in
        if scalar == separator {
          pieces.append("")
        } else {
          pieces[pieces.count - 1].unicodeScalars.append(scalar)
        }
      }
    }
    var names: [SlotID] = []
    var lists: [SlotID: [String]] = [:]
    for part in cut(text, "/") {
      let fields = cut(part, ":")
      let name = SlotID(fields.count == 1 ? "decision-\(names.count + 1)" : fields[0])
      if !names.contains(name) { names.append(name) }
      lists[name] = cut(fields.count == 1 ? part : fields[1], ",")
    }
    return names.flatMap { [$0.rawValue] + (lists[$0] ?? []) }
  }
}
