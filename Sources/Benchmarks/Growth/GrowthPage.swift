import Tables

/// The results of a growth benchmark as the section "Growth" of a page of documentation: for each axis a table of the
/// jobs by size, and below it what is left out, and where the time grows faster than the size.
struct GrowthPage {
  let table: GrowthTable

  /// The exponent above which growth is listed.
  private static let steep = 1.05

  private static let heading = "## Growth\n"

  /// Writes the section into a page in place of the one that it has, or at its end if it has none.
  func write(to path: String) throws {
    let lines = TextFile.lines(of: path)
    let start = lines.firstIndex(of: Self.heading) ?? lines.endIndex
    let end = lines[start...].dropFirst().firstIndex { $0.hasPrefix("## ") } ?? lines.endIndex
    let page = lines[..<start] + [section] + (end < lines.endIndex ? ["\n"] : []) + lines[end...]
    try AtomicFile.write(Array(page.joined().utf8), to: path, force: true)
  }

  private var section: String {
    let count = table.repetitions
    let options = "--growth-events \(table.smallest) --growth-limit \(table.limit) --repetitions \(count)"
    let parts = GrowthSize.Axis.allCases.map { part($0, table.jobs($0)) }
    return """
      \(Self.heading)
      `make bench BENCH='--only growth \(options)'` runs each job
      \(count == 1 ? "once" : "\(count) times") as a whole process; between the sizes of an axis everything else stays.
      Nanoseconds of wall time per event, and peak memory, on \(Machine.description),
      seed \(table.seed). A dash is what was left out, for the reason below the table.
      \(parts.joined())
      """
  }

  private func part(_ axis: GrowthSize.Axis, _ jobs: [[GrowthTable.Row]]) -> String {
    let sizes = Set(jobs.joined().map(\.size.varied)).sorted()
    var lines = [
      "", "### By \(axis.rawValue)", "", constants(axis, jobs), "",
      "| job | " + sizes.map(grouped).joined(separator: " | ") + " |",
      "|---|" + String(repeating: "---|", count: sizes.count),
    ]
    for rows in jobs {
      let cells = sizes.map { size in rows.first { $0.size.varied == size }.map(cell) ?? "" }
      lines.append("| `\(rows[0].job.name)` | " + cells.joined(separator: " | ") + " |")
    }
    let remarks = jobs.flatMap { leftOut($0) + growth($0) }
    return (lines + (remarks.isEmpty ? [] : [""] + remarks) + [""]).joined(separator: "\n")
  }

  /// The sizes along the other axes, which are the same in every log of an axis.
  private func constants(_ axis: GrowthSize.Axis, _ jobs: [[GrowthTable.Row]]) -> String {
    guard let size = jobs.first?.first?.size else { return "" }
    let others = GrowthSize.Axis.allCases.filter { $0 != axis }.map {
      "\($0.rawValue): \(grouped(size[$0]))"
    }
    return "In each log \(others.joined(separator: ", "))."
  }

  private func cell(_ row: GrowthTable.Row) -> String {
    guard let nanoseconds = row.nanosecondsPerEvent else { return "–" }
    return "\(grouped(Int(nanoseconds.rounded()))) (\(grouped(Int(row.peakMebibytes.rounded()))) MiB)"
  }

  private func leftOut(_ rows: [GrowthTable.Row]) -> [String] {
    rows.filter { !$0.reason.isEmpty }.map {
      "- `\($0.job.name)` with \(grouped($0.size.varied)) \($0.size.axis.rawValue) is left out: \($0.reason)"
    }
  }

  private func growth(_ rows: [GrowthTable.Row]) -> [String] {
    rows.compactMap { row in
      guard let exponent = row.exponent, exponent > Self.steep else { return nil }
      return "- `\(row.job.name)` up to \(grouped(row.size.varied)) \(row.size.axis.rawValue): the time grows by the"
        + " power of \((exponent * 100).rounded() / 100)"
    }
  }

  /// Returns a number with commas between its thousands.
  private func grouped(_ number: Int) -> String {
    number < 1_000
      ? "\(number)"
      : grouped(number / 1_000) + "," + "\(1_000 + number % 1_000)".dropFirst()
  }
}
