internal import Specifications
internal import Tables

/// The file `results.json` of a book: its answers, and every table as `--format json` writes it.
package struct BookJSON {
  private let book: Book

  /// Creates the writer of a book.
  package init(_ book: Book) { self.book = book }

  /// The text of the file.
  package var bytes: [UInt8] {
    let head = JSONTree.members([
      ("title", .text(book.title)), ("answer", .texts(book.answer)),
      ("facts", .members(book.facts.map { ($0.name, .text($0.value)) })),
      (
        "experiments",
        .list(
          book.chapters.map {
            .members([("experiment", .text($0.experiment)), ("answer", .texts($0.answer))])
          })
      ),
    ])
    var bytes = head.bytes()
    // The tables, which have a writer of their own, are the last member.
    bytes.removeLast(2)
    while bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    bytes.append(contentsOf: ",\n  \"tables\": [".utf8)
    for (index, table) in book.tables.enumerated() {
      bytes.append(contentsOf: (index == 0 ? "\n" : ",\n").utf8)
      bytes += write(table, as: .json)
      bytes.removeLast()
    }
    bytes.append(contentsOf: (book.tables.isEmpty ? "]\n}\n" : "\n]\n}\n").utf8)
    return bytes
  }
}
