import Specifications
import Tables

/// The text of listings for people.
struct ListingPage {
  /// The width of a line, in columns.
  private let width: Int

  /// Creates a page of a width in columns.
  init(_ width: Int) { self.width = width }

  /// Returns the entries of a listing by family, each in a line: what has no place in it is on the entry's page.
  func list<Listed: Listing>(of listing: Listed.Type) -> String {
    let entries = Listed.entries
    let column = 4 + (entries.map(\.name.count).max() ?? 0)
    var lines: [String] = []
    for (index, entry) in entries.enumerated() {
      if index == 0 || entries[index - 1].family != entry.family {
        lines += (index == 0 ? [] : [""]) + [entry.family.uppercased()]
      }
      lines.append(cut("  " + padded(entry.name, to: column - 2) + entry.summary))
    }
    let advice = "`bandolier \(Listed.verb) NAME` has the parameters, the source and an example of each."
    lines += [""] + wrapped(advice, indent: 0)
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the page of an entry.
  func page<Listed: Listing>(of entry: SpecificationInfo, _ listing: Listed.Type) -> String {
    let facts =
      [("family", entry.family), ("source", entry.source), ("written", entry.example)]
      + Listed.facts(about: entry)
    var lines = wrapped("\(entry.name): \(entry.summary)", indent: 0) + [""]
    lines += pairs(facts.filter { !$0.1.isEmpty }, indent: 0)
    if !entry.parameters.isEmpty {
      lines += ["", "PARAMETERS:"] + pairs(entry.parameters.map { ($0.key, text($0)) }, indent: 2)
    }
    lines += ["", "EXAMPLE:"]
    lines += Listed.example(of: entry).split(separator: "\n").map { "  \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the meaning of a parameter with its range and its default.
  private func text(_ parameter: SpecificationInfo.Parameter) -> String {
    let range = parameter.rangeText.flatMap { parameter.meaning.contains($0) ? nil : $0 }
    let notes = [range, parameter.standard.map { "default: \($0)" }].compactMap { $0 }
    return parameter.meaning + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
  }

  /// Returns names with texts beside them.
  private func pairs(_ pairs: [(String, String)], indent: Int) -> [String] {
    let column = indent + 2 + (pairs.map(\.0.count).max() ?? 0)
    return pairs.flatMap { name, text in
      let lines = wrapped(text, indent: column)
      let lead = padded(String(repeating: " ", count: indent) + name, to: column)
      return [lead + lines[0].dropFirst(column)] + lines.dropFirst()
    }
  }

  private func padded(_ text: String, to column: Int) -> String {
    text + String(repeating: " ", count: max(0, column - text.count))
  }

  private func wrapped(_ text: String, indent: Int) -> [String] {
    TerminalText.wrapped(text, width: max(20, width - indent)).map {
      String(repeating: " ", count: indent) + $0
    }
  }

  private func cut(_ line: String) -> String {
    line.count > width ? line.prefix(max(1, width - 3)) + "..." : line
  }
}
