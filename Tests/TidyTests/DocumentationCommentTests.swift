import Testing

/// Public declarations have documentation comments. A requirement is documented once, at its protocol; members that
/// satisfy it inherit that comment.
@Suite("Documentation comments")
struct DocumentationCommentTests {
  /// Requirements of the standard library's protocols.
  private static let standardRequirements: Set<String> = [
    "==", "<", "hash(into:)", "description", "debugDescription", "init(from:)", "encode(to:)",
    "next()", "makeIterator()", "startIndex", "endIndex", "index(after:)", "index(before:)",
    "subscript(_:)", "rawValue", "init(rawValue:)", "allCases", "id",
  ]

  @Test("every public declaration has a comment, or inherits that of a requirement")
  func sources() throws {
    let sources = try SourceFile.all(in: "Sources")
    let requirements = sources.reduce(into: Self.standardRequirements) { names, source in
      for requirement in Declaration.requirements(in: source.lines) {
        names.insert(requirement.declaration.name)
      }
    }
    #expect(requirements.count > 100)
    for source in sources {
      for index in Self.undocumented(source.lines, inheriting: requirements) {
        Issue.record("\(source.path):\(index + 1) lacks a comment: \(source.lines[index])")
      }
    }
  }

  @Test("undocumented declarations are distinguished from documented ones and inherited comments")
  func sample() {
    let text = """
      /// A plane figure.
      public protocol Shape {
        /// The area.
        var area: Double { get }
        func scaled(by factor: Double) -> Self
      }

      public struct Square: Shape, Equatable {
        /// The side.
        @inlinable
        public var side: Double

        public var area: Double { side * side }

        public init(
          side: Double
        ) { self.side = side }

        public func scaled(by factor: Double) -> Square { scaled(factor) }

        public func scaled(_ factor: Double) -> Square { Square(side: side * factor) }

        public static func == (a: Square, b: Square) -> Bool { a.side == b.side }

        private var half: Double { side / 2 }
      }
      """
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let requirements = Declaration.requirements(in: lines).map(\.declaration.name)
    #expect(requirements == ["area", "scaled(by:)"])
    let undocumented = Self.undocumented(
      lines, inheriting: Self.standardRequirements.union(requirements))
    let names = undocumented.compactMap { Declaration(lines[$0...])?.name }
    #expect(names == ["scaled(by:)", "Square", "init(side:)", "scaled(_:)"])
    #expect(undocumented.first == 4)
  }

  /// The indices of the lines with an undocumented public declaration or requirement of a public protocol, in order.
  private static func undocumented(
    _ lines: [String], inheriting requirements: Set<String>
  ) -> [Int] {
    let declared = Declaration.requirements(in: lines).filter(\.isPublic).map(\.index)
    let members = lines.indices.filter { index in
      guard lines[index].contains("public "), let declaration = Declaration(lines[index...]) else {
        return false
      }
      return declaration.isPublic && !requirements.contains(declaration.name)
    }
    return (declared + members).sorted().filter { index in
      let above = lines[..<index].last { !$0.drop { $0 == " " }.hasPrefix("@") } ?? ""
      return !above.drop { $0 == " " }.hasPrefix("///")
    }
  }
}

/// A declaration at the beginning of a line.
private struct Declaration {
  private static let modifiers: Set<Substring> = [
    "public", "open", "package", "internal", "private", "fileprivate", "private(set)",
    "fileprivate(set)", "internal(set)", "package(set)", "static", "final", "mutating",
    "nonmutating", "consuming", "borrowing", "override", "convenience", "required", "lazy", "weak",
    "unowned", "indirect", "nonisolated", "prefix", "postfix",
  ]
  private static let keywords: Set<Substring> = [
    "func", "init", "subscript", "var", "let", "struct", "enum", "class", "actor", "protocol",
    "typealias", "associatedtype",
  ]

  let isPublic: Bool
  let keyword: Substring
  /// The name, with argument labels: `scaled(by:)`; without for operators.
  let name: String

  /// Parses the declaration on the first line, whose parameters may continue on the next ones; returns nil for none.
  init?(_ lines: ArraySlice<String>) {
    let words = (lines.first ?? "").split(separator: " ")
    let modifiers = words.prefix { $0.hasPrefix("@") || Self.modifiers.contains($0) }
    isPublic = modifiers.contains("public") || modifiers.contains("open")
    let text = words.dropFirst(modifiers.count).joined(separator: " ")
    keyword = text.prefix { $0.isLetter }
    guard Self.keywords.contains(keyword) else { return nil }
    let rest = text.dropFirst(keyword.count).drop { $0 == " " }
    let isNamed = rest.first.map { $0.isLetter || $0 == "_" } ?? false
    let base = rest.prefix {
      isNamed ? $0.isLetter || $0.isNumber || $0 == "_" : $0 != " " && $0 != "("
    }
    switch keyword {
    case "func" where !isNamed: name = String(base)
    case "func", "init", "subscript":
      let all = ([String(rest)] + lines.dropFirst().prefix(30)).joined(separator: "\n")
      let labels = Self.labels(all.drop { $0 != "(" }, isSubscript: keyword == "subscript")
      name = "\(keyword == "func" ? base : keyword)(\(labels))"
    default: name = String(base)
    }
  }

  /// The argument labels of a parameter list: `_:using:`.
  private static func labels(_ text: Substring, isSubscript: Bool) -> String {
    var parameters = [""]
    var depth = 0
    for character in text {
      if ")]}".contains(character) { depth -= 1 }
      if depth == 0, character == ")" { break }
      if depth == 1, character == "," {
        parameters.append("")
      } else if depth > 0 {
        parameters[parameters.count - 1].append(character)
      }
      if "([{".contains(character) { depth += 1 }
    }
    return parameters.filter { $0.contains(":") }.map { parameter -> String in
      let names = parameter.prefix { $0 != ":" }.split { $0.isWhitespace }
        .filter { !$0.hasPrefix("@") }
      return isSubscript && names.count == 1 ? "_:" : "\(names.first ?? ""):"
    }.joined()
  }

  /// The requirements of the protocols in a file: their lines, and whether their protocol is public.
  static func requirements(
    in lines: [String]
  ) -> [(index: Int, isPublic: Bool, declaration: Declaration)] {
    var found: [(index: Int, isPublic: Bool, declaration: Declaration)] = []
    for start in lines.indices where lines[start].contains("protocol ") {
      guard let parent = Declaration(lines[start...]), parent.keyword == "protocol",
        let opening = lines[start...].prefix(4).firstIndex(where: { $0.contains("{") }),
        lines[opening].hasSuffix("{")
      else { continue }
      let indent = lines[start].prefix { $0 == " " }
      for index in lines.indices[(opening + 1)...] {
        if lines[index] == indent + "}" { break }
        guard lines[index].prefix(while: { $0 == " " }).count == indent.count + 2,
          let declaration = Declaration(lines[index...])
        else { continue }
        found.append((index, parent.isPublic, declaration))
      }
    }
    return found
  }
}
