import Testing

/// Every use of unsafe code is preceded by a comment that says why it is safe.
///
/// A comment that begins with `// Safety:` covers the uses within 10 lines below it, and within 10 lines below one another.
/// It covers nothing behind the end of its block, and nothing behind a blank line at its own indentation.
@Suite("Safety comments")
struct SafetyCommentTests {
  private static let reach = 10

  @Test("every use of unsafe code is covered by a comment that says why it is safe")
  func sources() throws {
    var uses = 0
    for source in try SourceFile.all(in: "Sources") {
      uses += source.lines.count(where: Self.usesUnsafe)
      for number in Self.uncovered(source.lines) {
        Issue.record("\(source.path):\(number) has no Safety comment: \(source.lines[number - 1])")
      }
    }
    #expect(uses > 300)
  }

  /// The numbers, from 1, of the lines that use unsafe code and that no comment covers.
  private static func uncovered(_ lines: [String]) -> [Int] {
    var cover: (index: Int, indent: Int)?
    var found: [Int] = []
    var followsBlank = false
    for (index, line) in lines.enumerated() {
      let text = line.drop { $0 == " " }
      guard !text.isEmpty else {
        followsBlank = true
        continue
      }
      let indent = line.count - text.count
      if let last = cover, indent < last.indent || (followsBlank && indent == last.indent) {
        cover = nil
      }
      followsBlank = false
      if isReason(text) {
        cover = (index, indent)
      } else if usesUnsafe(line) {
        if let last = cover, index - last.index <= reach {
          cover = (index, last.indent)
        } else {
          found.append(index + 1)
        }
      }
    }
    return found
  }

  private static func isReason(_ text: Substring) -> Bool {
    let mark = "// Safety: "
    return text.hasPrefix(mark) && text.count > mark.count
  }

  /// Whether a line has the word in front of its comment. Texts are not left out, since they can have expressions in
  /// them.
  private static func usesUnsafe(_ line: String) -> Bool {
    // What a page allows its own style sheet is no code.
    let line = " " + line.replacing("'unsafe-inline'", with: "")
    let code = line.firstRange(of: " //").map { line[..<$0.lowerBound] } ?? line[...]
    let words = code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    return words.contains("unsafe")
  }

  @Test("uses are told from comments and from longer names")
  func uses() {
    for line in [
      "unsafe free(a)", "  let b = unsafe a[0]", "let a = f(unsafe b)", "_ = \"\\(unsafe a[0])\"",
      "nonisolated(unsafe) var a = 0", "unsafe f() // safe", "@unsafe struct A {}",
    ] {
      #expect(Self.usesUnsafe(line), "\(line)")
    }
    for line in [
      "// unsafe", "  /// An unsafe call.", "f() // unsafe", "let unsafeName = 0",
      "[](unsafeSize: 1)",
      "let a = notunsafe", "\"style-src 'unsafe-inline'\"",
    ] {
      #expect(!Self.usesUnsafe(line), "\(line)")
    }
  }

  @Test("a comment covers the uses below it in its block, each close to the one before")
  func coveredUses() {
    let samples = [
      ["// Safety: it is ours.", "unsafe a()"],
      ["{", "  // Safety: it is ours, and", "  // stays so.", "  unsafe a()", "  unsafe b()", "}"],
      ["  // Safety: it is ours.", "  a {", "    unsafe b()", "  }", "  unsafe c()"],
      ["  // Safety: it is ours.", "  a {", "", "    unsafe b()", "  }"],
      Self.chain(apart: 10),
    ]
    for sample in samples {
      #expect(Self.uncovered(sample) == [], "\(sample)")
    }
  }

  @Test("uses without a comment, far below it, in another block or the next declaration are found")
  func uncoveredUses() {
    let samples: [(lines: [String], found: [Int])] = [
      (["unsafe a()"], [1]),
      (["unsafe a()", "// Safety: it is ours."], [1]),
      (["// Safety: ", "unsafe a()"], [2]),
      (["/// Safety: it is ours.", "unsafe a()"], [2]),
      (["// It is safe.", "unsafe a()"], [2]),
      (["unsafe a() // Safety: it is ours."], [1]),
      (["{", "  // Safety: it is ours.", "  unsafe a()", "}", "unsafe b()"], [5]),
      (["a {", "  // Safety: it is ours.", "  unsafe b()", "}", "c {", "  unsafe d()", "}"], [6]),
      (["// Safety: it is ours.", "var a = unsafe b", "", "var c = unsafe d"], [4]),
      (Self.chain(apart: 11), [12, 23]),
    ]
    for sample in samples {
      #expect(Self.uncovered(sample.lines) == sample.found, "\(sample.lines)")
    }
  }

  /// A comment and two uses, each of which stands so many lines below the one before.
  private static func chain(apart distance: Int) -> [String] {
    let between = Array(repeating: "let a = 1", count: distance - 1)
    return [["// Safety: it is ours."], between, ["unsafe a()"], between, ["unsafe b()"]].flatMap {
      $0
    }
  }
}
