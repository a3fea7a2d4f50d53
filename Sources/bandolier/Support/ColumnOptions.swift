import ArgumentParser
import Reports
import Tables

/// The options of which columns of a report are written.
struct ColumnOptions: ParsableArguments {
  @Flag(
    name: .long,
    help: "Show all columns and notes in a table, not only the main ones; other formats have all.")
  var wide = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Write these columns only, in this order, in any format: names with commas between.",
      valueName: "names"), transform: OptionValue.list(of: { $0 }))
  var columns: [String]?

  func validate() throws {
    guard wide, columns != nil else { return }
    throw ValidationError("--wide and --columns exclude each other; give one of them")
  }

  /// How much a table for people shows.
  var detail: TableDetail { wide ? .all : columns == nil ? .main : .chosen }

  /// Returns the table with the columns that were asked for.
  func chosen(from table: Table, for format: TableFormat) throws -> Table {
    guard let columns else { return table }
    // People get the rows in their order also when the keys of that order are left out.
    let isForPeople = format == .table || format == .markdown
    do {
      return try (isForPeople ? table.sortedForPeople() : table).selecting(columns)
    } catch {
      throw Failure(exitCode: Failure.usage, "--columns: \(error)")
    }
  }
}
