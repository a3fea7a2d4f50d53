import Testing

/// Each target has a number of code lines that it may not exceed, in `line-budget.txt`: a commit that raises one says why.
@Suite("Line budget")
struct LineBudgetTests {
  /// The lines of a target that are neither blank nor comments.
  private static func codeLines() throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for source in try SourceFile.all(in: "Sources") {
      counts[source.target, default: 0] += source.lines.count { line in
        let text = line.drop { $0 == " " }
        return !text.isEmpty && !text.hasPrefix("//")
      }
    }
    return counts
  }

  /// The budget of each target, as its lines `TARGET COUNT` say.
  private static func budget() throws -> [String: Int] {
    let lines = try Repository.text("Tests/TidyTests/line-budget.txt").split(separator: "\n")
    return Dictionary(
      uniqueKeysWithValues: try lines.map { line in
        let parts = line.split(separator: " ")
        return (String(parts[0]), try #require(parts.last.flatMap { Int($0) }, "\(line)"))
      })
  }

  @Test("no target has more code lines than its budget")
  func budget() throws {
    let (counts, budget) = (try Self.codeLines(), try Self.budget())
    for target in Set(counts.keys).union(budget.keys).sorted() {
      let (count, limit) = (counts[target] ?? 0, budget[target] ?? 0)
      print("\(target): \(count) code lines of \(limit)")
      #expect(
        count <= limit,
        "\(target) has \(count) code lines and its budget is \(limit): make it smaller, or raise the budget in Tests/TidyTests/line-budget.txt and say why in the commit"
      )
    }
    print("all: \(counts.values.reduce(0, +)) code lines")
  }

  @Test("a budget leaves no more room than a feature needs")
  func room() throws {
    let counts = try Self.codeLines()
    for (target, limit) in try Self.budget() {
      let count = counts[target] ?? 0
      #expect(
        limit - count <= 100 + count / 20,
        "\(target) has \(count) code lines and a budget of \(limit): lower it to what it has")
    }
  }
}
