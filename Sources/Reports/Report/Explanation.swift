internal import Replay
internal import Specifications
public import Tables

/// The formulas, inputs and sources of a report, as printed by `explain REPORT`.
public struct Explanation: Sendable {
  /// An explanation of one quantity of a report.
  public struct Entry: Sendable {
    /// The columns that the entry explains.
    public var columns: String
    /// The formula, or the rule in words.
    public var formula: String
    /// The source: a paper with year, or a definition of this project.
    public var source: String
    /// The names of columns, checks, methods and so on that the entry is about.
    var names: Set<String>
    /// The same as they are written, such as `not valid`, without what the words are.
    let subjects: [String]

    /// Creates an entry.
    public init(_ columns: String, _ formula: String, source: String) {
      self.columns = columns
      self.formula = formula
      self.source = source
      subjects = columns.split { ",:".contains($0) }.map { String($0.drop { $0 == " " }) }
      names = Set(
        columns.split { !($0.isLetter || $0.isNumber || "_-*".contains($0)) }.map(String.init)
          + subjects)
    }

    /// Creates an explanation of a word in a column, such as `not valid` in `verdict`.
    init(_ column: String, word: some RawRepresentable<String>, _ meaning: String) {
      self.init("\(column): \(word.rawValue)", meaning, source: "definition")
      names = [column, word.rawValue]
    }

    /// Whether the entry is about a name as it is written, or by its key; `duplicate_*` is about all that begin so.
    func isAbout(_ name: String, by key: TermKey?) -> Bool {
      if let key { return names.contains { TermKey($0) == key } }
      return names.contains(name) || names.contains { $0.hasSuffix("_*") && name.hasPrefix($0.dropLast()) }
    }
  }

  /// The question that the report answers.
  public var question: String
  /// The events and fields that the report reads.
  public var inputs: String
  /// The computed quantities, in the order of the columns.
  public var entries: [Entry]
  /// The columns that are known to belong to it.
  var columns: [TableColumn] = []

  /// Creates an explanation.
  public init(question: String, inputs: String, entries: [Entry]) {
    self.question = question
    self.inputs = inputs
    self.entries = entries
  }

  /// Creates the explanation of the columns of one or more tables.
  ///
  /// - Parameters:
  ///   - question: The question that the report answers.
  ///   - inputs: The events and fields that the report reads.
  ///   - tables: The columns, with their formulas.
  ///   - rules: What else is explained.
  public init<each Row>(
    question: String, inputs: String, of tables: repeat ReportColumns<each Row>,
    rules: [Entry] = []
  ) {
    self.init(question: question, inputs: inputs, entries: [])
    for table in repeat each tables {
      entries += table.entries
      columns += table.headings
    }
    entries += rules
  }

  /// Creates the explanation of tables whose columns are declared in place.
  init(question: String, inputs: String, of tables: [TableDraft], rules: [Entry] = []) {
    self.init(question: question, inputs: inputs, entries: tables.flatMap(\.entries) + rules)
    columns = tables.flatMap(\.headings)
  }

  /// Returns the explanation as a table.
  ///
  /// - Parameter report: The name of the report.
  /// - Returns: The table.
  /// - Throws: `TableError` only if the column declarations are invalid.
  public func table(of report: String) throws(TableError) -> Table {
    var table = try Table(
      name: "explanation", title: "report \(report): \(question)", of: entries
    ) { columns in
      columns.measure("columns", "what is computed", \.columns)
      columns.measure("formula", "how", \.formula)
      columns.measure("source", "where the rule comes from", \.source)
    }
    table.note("inputs", inputs)
    return table
  }
}

extension ReportCatalog {
  /// Returns the explanation of a report, or what all say of a column, a metric, a check or a word such as `not valid`:
  /// of a term that is written just so, else of one in another case or number.
  ///
  /// - Parameter name: The name, such as `rewards` or `ci_low`, or that of one report, such as `rewards.ci_low`.
  /// - Returns: A row for each explanation.
  /// - Throws: ``ReportError`` that offers the nearest name.
  public func explanation(of name: String) throws -> Table {
    if let report = all.first(where: { $0.name == name }) {
      return try report.explanation.table(of: name)
    }
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    let asked = parts.count == 2 ? all.filter { $0.name == parts[0].lowercased() } : []
    let (reports, part) = asked.isEmpty ? (all, name) : (asked, parts[1])
    let found = { (key: TermKey?) in
      reports.flatMap { $0.explanation.rows(about: part, by: key, of: $0.name) }
    }
    var rows = found(nil)
    if rows.isEmpty, let report = all.first(where: { TermKey($0.name) == TermKey(name) }) {
      return try report.explanation.table(of: report.name)
    }
    if rows.isEmpty { rows = found(TermKey(part)) }
    if rows.isEmpty, let column = Explanation.breakdown.first(where: { $0.name == part }) {
      rows = [("any with --by", nil, column.description)]
    }
    guard !rows.isEmpty else {
      let names = (asked.isEmpty ? all.map { $0.name } : []) + reports.flatMap { $0.explanation.terms }
      throw ReportError(
        .badParameter,
        NearestName.unknown(asked.isEmpty ? "report or term" : "column", part, among: names.distinctNames))
    }
    return try Table(name: "explanation", title: name, of: rows) { columns in
      columns.key("report", "which report has it") { $0.report }
      columns.measure("columns", "what is computed") { $0.entry?.columns ?? part }
      columns.measure("meaning", "what the column has") { $0.meaning }
      columns.measure("formula", "how") { $0.entry?.formula }
      columns.measure("source", "where the rule comes from") { $0.entry?.source }
    }
  }
}

extension Explanation {
  /// The columns of all reports that are broken down by a dimension.
  fileprivate static let breakdown = ReportColumns<DimensionValue>.breakdown(.day) { $0 }.headings

  /// The names of columns, checks, metrics and words that it is about.
  var terms: [String] { columns.map(\.name) + entries.flatMap(\.subjects).filter { !$0.hasSuffix("*") } }

  /// Returns what is said of a name; only the meaning of a column that has no formula.
  fileprivate func rows(
    about name: String, by key: TermKey?, of report: String
  ) -> [(report: String, entry: Entry?, meaning: String?)] {
    let column = columns.first { column in key.map { TermKey(column.name) == $0 } ?? (column.name == name) }
    let meaning = column?.description
    let found = entries.filter { $0.isAbout(name, by: key) }
    if found.isEmpty, meaning != nil { return [(report, nil, meaning)] }
    return found.map { (report, $0, meaning) }
  }
}
