/// The code of documentation pages, and the commands that it shows.
struct DocumentedCommands {
  /// The lines of code blocks, and the texts in code voice.
  let code: [String]

  init(_ pages: [String]) {
    var code: [String] = []
    for page in pages {
      var isBlock = false
      for line in page.split(separator: "\n") {
        if line.hasPrefix("```") {
          isBlock.toggle()
        } else if isBlock {
          code.append(String(line))
        } else {
          code += line.matches(of: /`([^`]+)`/).map { String($0.output.1) }
        }
      }
    }
    self.code = code
  }

  /// Returns whether the code has the command, whatever its arguments.
  func shows(_ command: String) -> Bool {
    code.contains { line in
      line.ranges(of: command).contains { range in
        guard let next = line[range.upperBound...].first else { return true }
        return !next.isLetter && next != "-"
      }
    }
  }

  /// The targets of the commands `make TARGET`.
  var makeTargets: Set<String> {
    Set(
      code.compactMap { $0.firstMatch(of: /^(?:\$ )?make ([a-z-]+)/).map { String($0.output.1) } })
  }
}
