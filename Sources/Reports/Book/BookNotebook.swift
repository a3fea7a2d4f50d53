internal import Plots
internal import Specifications
internal import Tables

/// The file `report.ipynb` of a book (nbformat 4.5, nbformat.readthedocs.io): the answers, and code that reads the CSV
/// files with pandas and draws them with matplotlib, with its tables and plots in place before anything was run.
package struct BookNotebook {
  private let book: Book

  /// The maximum number of rows of a table.
  static let mostRows = 24

  /// Creates the writer of a book.
  package init(_ book: Book) { self.book = book }

  /// The text of the file.
  package var bytes: [UInt8] {
    let cells = cells.enumerated().map { $0.element.json(id: "cell-\($0.offset + 1)") }
    return JSONTree.members([
      ("cells", .list(cells)),
      (
        "metadata",
        .members([
          (
            "kernelspec",
            .members([
              ("display_name", .text("Python 3")), ("language", .text("python")),
              ("name", .text("python3")),
            ])
          ), ("language_info", .members([("name", .text("python"))])),
        ])
      ), ("nbformat", .integer(4)), ("nbformat_minor", .integer(5)),
    ]).bytes()
  }

  private var cells: [NotebookCell] {
    var cells: [NotebookCell] = [
      .markdown("# \(Markdown.escaped(book.title))\n\n" + Markdown.list(book.answer)),
      .code(NotebookCode.parameters, tags: ["parameters"]), .code(NotebookCode.reading),
    ]
    for placed in book.placedOverview { cells += Self.cells(placed, level: 2) }
    for (index, chapter) in book.chapters.enumerated() {
      cells.append(
        .markdown("## \(Markdown.escaped(chapter.experiment))\n\n" + Markdown.list(chapter.headlines)))
      cells.append(.code("experiment = \(NotebookCode.literal(chapter.experiment))"))
      for placed in book.placed(chapter: index) { cells += Self.cells(placed, level: 3) }
    }
    return cells
  }

  private static func cells(_ placed: Book.PlacedSection, level: Int) -> [NotebookCell] {
    let section = placed.section
    let heading = String(repeating: "#", count: level) + " \(Markdown.escaped(section.title))\n\n"
    let answer = placed.chapter?.answer == section.answer ? [] : section.answer
    var cells: [NotebookCell] = [.markdown(heading + Markdown.list(answer))]
    for table in section.tables {
      let shown = ShownRows(table, most: mostRows, isInKeyOrder: true)
      cells.append(
        .code(
          NotebookCode.showing(table, shown, of: placed.chapter),
          outputs: [.table(shown.table, rowCount: table.rows.count)]))
    }
    let drawing = section.notebookCode
    guard !section.tables.isEmpty, drawing != nil || !placed.figures.isEmpty else { return cells }
    let code =
      drawing ?? placed.figures.map { NotebookCode.picture($0.path) }.joined(separator: "\n")
    cells.append(.code(code, outputs: placed.figures.map { .picture($0.figure) }))
    return cells
  }
}
