internal import EventLog
internal import Events
internal import Plots
internal import Replay
internal import Specifications
internal import Tables

/// Puts the tables of reports into the order of a book: those of the whole log, then those of each experiment.
struct BookAssembly {
  private let log: LogReader
  private let names: LogNames
  private let calendar: DayCalendar
  private let settings: BookSettings
  private let parts: [BookPart]
  /// For each part, the tables of each experiment.
  private let ofExperiments: [[NameKey: [Table]]]
  private let leftOut: [String]
  private let colors: VariantColors

  init(_ builder: borrowing BookBuilder) {
    (log, names, settings) = (builder.replay.log, builder.names, builder.settings)
    (leftOut, calendar) = (builder.leftOut, builder.selection.calendar)
    let parts = builder.parts
    self.parts =
      Self.order.compactMap { name in parts.first { $0.name == name } }
      + parts.filter { !Self.order.contains($0.name) }
    ofExperiments = self.parts.map(\.ofExperiments)
    colors = VariantColors(parts.flatMap(\.tables).map(\.table))
  }

  /// The reports of which a book knows the place, in reading order; others follow.
  static let order = [
    HealthReport.name, DecisionReport.name, ComparisonReport.name, RewardReport.name,
    SeriesReport.name,
    RegretReport.name, ConversionReport.name, QuantileReport.name, FunnelReport.name,
    RetentionReport.name, VisitReport.name, AdaptiveReport.name, EvaluationReport.name,
    PowerReport.name, PredictionReport.name,
  ]

  var book: Book {
    Book(
      title: settings.title, alerts: BookFacts.losses(of: log), answer: answer,
      facts: BookFacts(log, names, calendar).facts,
      overview: overview, chapters: experiments.map(chapter), tables: tables,
      methods: parts.map { ($0.name, $0.report.explanation) })
  }

  private var tables: [Table] { parts.flatMap(\.tables).map(\.table) }

  private var answer: [String] {
    let answers = [Self.deciding(parts.map(\.name)), HealthReport.name].flatMap { name in
      parts.first { $0.name == name }?.tables.first?.table.answer ?? []
    }
    return BookFacts.losses(of: log) + answers
  }

  /// The report that says who wins: decisions where there are any, as they say more.
  private static func deciding(_ names: [String]) -> String {
    names.contains(DecisionReport.name) ? DecisionReport.name : ComparisonReport.name
  }

  /// The experiments that have rows: those that a plan asks about first, and each kind in natural order.
  private var experiments: [String] {
    let names = Set(ofExperiments.flatMap(\.keys)).map(\.text)
      .sorted { NaturalOrder.precedes($0, $1) }
    let isPlanned = { settings.analysis?.entry(of: $0) != nil }
    return names.filter(isPlanned) + names.filter { !isPlanned($0) }
  }

  private var overview: [Book.Section] {
    var sections = parts.map { part in
      section(part, part.tables.map { part.report.isOverview ? $0.table : $0.ofWholeLog })
    }
    sections.removeAll(where: \.isEmpty)
    if !leftOut.isEmpty {
      sections.append(Book.Section(name: Book.Section.leftOut, title: "Left out", answer: leftOut))
    }
    return sections
  }

  private func chapter(_ experiment: String) -> Book.Chapter {
    var sections: [Book.Section] = []
    let key = NameKey(experiment)
    for (part, tables) in zip(parts, ofExperiments) {
      let section = section(part, tables[key] ?? [])
      if !section.isEmpty { sections.append(section) }
    }
    let verdict = sections.first { $0.name == Self.deciding(sections.map(\.name)) }
    return Book.Chapter(
      experiment: experiment, answer: verdict?.answer ?? [],
      cards: Self.cards(of: sections, deciding: verdict), sections: sections)
  }

  /// Returns the cards of the report that decides; of a policy that learned those of the report `adaptive`.
  private static func cards(
    of sections: [Book.Section], deciding verdict: Book.Section?
  ) -> [TableCard] {
    let cards = verdict?.tables.first?.cards ?? []
    let compared = sections.first { $0.name == ComparisonReport.name }?.tables.first
    let reasons = compared.map { NamedCells.rows(of: $0).compactMap { $0.text("reason") } } ?? []
    guard reasons.contains(where: { $0.contains(VerdictFinding.adaptivePolicy) }) else { return cards }
    let adaptive = sections.first { $0.name == AdaptiveReport.name }?.tables.first?.cards ?? []
    return adaptive.isEmpty ? cards : adaptive
  }

  private func section(_ part: BookPart, _ tables: [Table]) -> Book.Section {
    let tables = tables.filter { !$0.rows.isEmpty }
    return Book.Section(
      name: part.name, title: part.tables.first?.table.title ?? part.name,
      answer: tables.first?.answer ?? [], tables: tables,
      figures: tables.flatMap { part.report.figures(of: FigureTable($0, colors: colors)) },
      notebookCode: tables.first?.name == part.tables.first?.table.name ? part.report.notebookCode : nil)
  }
}

extension Book.Section {
  /// The name of the section that says which reports are left out and why.
  static let leftOut = "left_out"

  /// Whether there is nothing to read.
  fileprivate var isEmpty: Bool { tables.isEmpty && answer.isEmpty }

  /// Whether it is a report of checks, of which those that failed come first.
  var hasChecks: Bool { tables.contains { $0.focus != nil } }
}

extension AnsweredTable {
  /// The rows about no experiment: all of a table without experiments.
  var ofWholeLog: Table {
    guard table.columns.contains(where: { $0.name == "experiment" }) else { return table }
    let part = table.filtered(by: "experiment") { $0 == .empty }
    return part.rows.isEmpty ? part : report.summarized(part)
  }
}
