import Testing

/// The size of Python files, and what they may import.
@Suite("Python sources")
struct PythonTests {
  /// What the package may import besides its own modules and pyarrow.
  private static let standard: Set<String> = [
    "__future__", "argparse", "atexit", "collections", "contextlib", "ctypes", "dataclasses",
    "datetime", "errno", "fcntl", "functools", "glob", "hashlib", "html", "importlib", "io",
    "itertools", "json", "math", "mmap", "os", "pathlib", "queue", "re", "selectors", "shutil",
    "signal", "struct", "subprocess", "sys", "tempfile", "threading", "time", "typing", "uuid",
    "warnings", "weakref", "zipfile",
  ]

  /// The packages that a line imports, by their first names; none for modules of the same package.
  private static func imports(_ line: String) -> Set<String> {
    if let match = line.firstMatch(of: /^\s*from ([A-Za-z_]\w*)[\w.]* import\b/) {
      return [String(match.output.1)]
    }
    guard let match = line.firstMatch(of: /^\s*import ([\w., ]+)$/) else { return [] }
    return Set(
      match.output.1.split(separator: ",").compactMap { name in
        name.split(whereSeparator: { $0 == "." || $0 == " " }).first.map(String.init)
      })
  }

  @Test("no file is too long, and each begins with what it is for")
  func layout() throws {
    let package = try Repository.files(in: "Sources/Python", ending: ".py")
    let tests = try ["Tests/Python", "Tests/Serve", "Tests/Spark"].flatMap {
      try Repository.files(in: $0, ending: ".py")
    }
    for path in package + tests {
      let lines = try Repository.text(path).split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 300, "\(path) has \(lines.count) lines")
      #expect(lines[0].hasPrefix("\"\"\""), "\(path) has no docstring")
      for (index, line) in lines.enumerated() where line.count > 120 {
        Issue.record("\(path):\(index + 1) is longer than 120 characters")
      }
    }
  }

  @Test("the package imports pyarrow and what Python has; only its part for Spark imports PySpark")
  func imports() throws {
    for path in try Repository.files(in: "Sources/Python", ending: ".py") {
      var allowed = Self.standard.union(["bandolier", "pyarrow"])
      if path.contains("/spark/") { allowed.insert("pyspark") }
      for line in try Repository.text(path).split(separator: "\n") {
        // For annotations only: `if TYPE_CHECKING`.
        guard line != "    import pandas" else { continue }
        let foreign = Self.imports(String(line)).subtracting(allowed)
        #expect(foreign.isEmpty, "\(path) imports \(foreign.sorted())")
      }
    }
  }

  @Test("imports are told from other lines")
  func samples() {
    #expect(Self.imports("import pyarrow as pa, tempfile") == ["pyarrow", "tempfile"])
    #expect(Self.imports("    import a.b, c") == ["a", "c"])
    #expect(Self.imports("from pyspark.sql import DataFrame") == ["pyspark"])
    #expect(Self.imports("from ._log import Log").isEmpty)
    #expect(Self.imports(">>> import pandas").isEmpty)
    #expect(Self.imports("from bandolier import (").contains("bandolier"))
  }
}
