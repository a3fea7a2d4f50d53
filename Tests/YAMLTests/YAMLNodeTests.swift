import TestSupport
import Testing

@testable import YAML

@Suite("YAML files")
struct YAMLNodeTests {
  /// Writes a node in a form that tells the kinds apart: `{a: "1", b: ["x"]}`.
  private static func text(_ node: YAMLNode) -> String {
    if let string = node.string { return string.debugDescription }
    if let elements = node.sequence { return "[" + elements.map(text).joined(separator: ", ") + "]" }
    let members = (node.mapping ?? []).map { "\($0.key.string ?? "?"): \(text($0.value))" }
    return "{" + members.joined(separator: ", ") + "}"
  }

  private static func root(_ text: String) throws -> YAMLNode {
    try #require(try YAMLNode.root(of: text, path: "a.yaml"))
  }

  @Test(
    "scalars, sequences and mappings in each of their forms",
    arguments: [
      ("a: 1\nb:\n- x\n- {c: 'd e'}\n", #"{a: "1", b: ["x", {c: "d e"}]}"#),
      ("{a: [1, 2,], \"b\": }", #"{a: ["1", "2"], b: ""}"#),
      ("text: |\n  one\n  two\nfolded: >-\n  one\n  two\n", #"{text: "one\ntwo\n", folded: "one two"}"#),
      ("# only a value\n42", #""42""#), ("--- a\n...\n", #""a""#),
      ("a: =checkout # a text\nb: 'it''s'\nc: \"\\u00e9\\n\"", "{a: \"=checkout\", b: \"it\\'s\", c: \"é\\n\"}"),
      ("2026-01-02: 10:30\n? [k]\n: v", #"{2026-01-02: "10:30", ?: "v"}"#),
      ("\u{FEFF}a: ü", #"{a: "ü"}"#), ("a: 1\r\nb: 2\r\n", #"{a: "1", b: "2"}"#),
    ])
  func forms(yaml: String, text: String) throws {
    #expect(try Self.text(Self.root(yaml)) == text)
  }

  @Test("a file without a document has no root", arguments: ["", "\n\n", "# nothing\n"])
  func empty(yaml: String) throws {
    #expect(try YAMLNode.root(of: yaml, path: "a.yaml") == nil)
  }

  @Test("an alias is all of what its anchor names, at the places of the anchor")
  func aliases() throws {
    let root = try Self.root("base: &base {low: 1, list: &list [a, b]}\nx: *base\ny: [*list, *list]\n")
    let base = #"{low: "1", list: ["a", "b"]}"#
    #expect(Self.text(root) == #"{base: \#(base), x: \#(base), y: [["a", "b"], ["a", "b"]]}"#)
    #expect(root.mapping?["x"]?.mark == YAMLNode.Mark(line: 1, column: 7))
  }

  @Test("places are counted from 1, in characters")
  func marks() throws {
    let members = try #require(try Self.root("é: ü\n  \nlist:\n  - a\n").mapping)
    #expect(members[0].value.mark == YAMLNode.Mark(line: 1, column: 4))
    #expect(members["list"]?.sequence?[0].mark == YAMLNode.Mark(line: 4, column: 5))
    #expect(members["none"] == nil)
  }

  @Test("only plain scalars are flags or nothing")
  func plain() throws {
    for (yaml, bool, isNull) in [
      ("yes", true, false), ("On", true, false), ("'yes'", nil, false), ("off", false, false),
      ("~", nil, true), ("null", nil, true), ("'null'", nil, false), ("[yes]", nil, false), ("1", nil, false),
    ] as [(String, Bool?, Bool)] {
      let node = try Self.root(yaml)
      #expect(node.bool == bool && node.isNull == isNull, "\(yaml)")
    }
    #expect(try Self.root("a:").mapping?["a"]?.isNull == true)
  }

  @Test(
    "what is no YAML, or means nothing, is refused with its place",
    arguments: [
      ("a: [1", "a.yaml:2:1: not YAML: did not find expected ',' or ']'"),
      ("a: b: c", "a.yaml:1:5: not YAML: mapping values are not allowed in this context"),
      ("a: 1\n\tb: 2", "a.yaml:2:1: not YAML: found a tab character that violates indentation"),
      ("a: \"1", "a.yaml:1:6: not YAML: found unexpected end of stream"),
      ("a: 1\nb: x\u{0}", "a.yaml:2:5: not YAML: control characters are not allowed"),
      ("a: 1\nb: 2\na: 3", #"a.yaml:3:1: "a" is there twice; keep one"#),
      ("a: 1\n---\nb: 2", "a.yaml:2:1: a second document begins here; keep one"),
      ("a: *x", "a.yaml:1:4: *x stands before the end of what &x names, or nothing has this name"),
      ("&x [*x]", "a.yaml:1:5: *x stands before the end of what &x names, or nothing has this name"),
    ])
  func refused(yaml: String, reason: String) throws {
    let error = #expect(throws: YAMLError.self) { try YAMLNode.root(of: yaml, path: "a.yaml") }
    #expect(error?.description == reason)
  }

  @Test("nesting has an end, and aliases of aliases do not fill the memory")
  func bounds() throws {
    func error(_ yaml: String) -> String? {
      #expect(throws: YAMLError.self) { try YAMLNode.root(of: yaml, path: "a.yaml") }?.description
    }
    let brackets = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
    #expect(try Self.text(Self.root(brackets(100))) == brackets(100))
    #expect(error(brackets(101)) == "a.yaml:1:101: it is nested more than 100 levels deep")
    let laughs = (1...9).reduce("a0: &a0 [x]\n") {
      $0 + "a\($1): &a\($1) [" + Array(repeating: "*a\($1 - 1)", count: 9).joined(separator: ",") + "]\n"
    }
    #expect(error(laughs)?.hasSuffix("the file has more than 100000 parts up to here") == true)
  }

  @Test("arbitrary bytes end in nodes or in one line that says where")
  func arbitrary() {
    var random = SeededGenerator(seed: 1)
    let pieces = [
      "a", ": ", "\n", "  ", "- ", "[", "]", "{", "}", ",", "&x ", "*x", "'", "\"", "|\n", "é", "\u{1}", "\t", "#",
      "!!x ", "? ", "---\n",
    ]
    for _ in 0..<5_000 {
      let yaml = (0..<random.index(20)).map { _ in pieces[random.index(pieces.count)] }.joined()
      do {
        _ = try YAMLNode.root(of: yaml, path: "a.yaml").map(Self.text)
      } catch {
        let line = error.description
        #expect(line.wholeMatch(of: /a\.yaml:\d+:\d+: [^\n]+/) != nil, "\(yaml.debugDescription): \(line)")
      }
    }
  }
}
