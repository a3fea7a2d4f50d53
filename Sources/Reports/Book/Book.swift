public import Plots
public import Tables

/// All that is reported of a log, in reading order: what `report all` writes as a folder, a page and a notebook.
public struct Book: Sendable {
  /// One report, of the whole log or of one experiment.
  public struct Section: Sendable {
    /// The name of the report, such as `compare`.
    public var name: String
    /// The heading.
    public var title: String
    /// Its answer, in one to three sentences, failed checks first.
    public var answer: [String]
    /// The rows that concern it; of the columns people see those that are main.
    public var tables: [Table]
    /// The plots.
    public var figures: [Figure]
    /// The Python code of a notebook that draws the report; nil for the plots as they are.
    public var notebookCode: String?

    /// Creates a section.
    public init(
      name: String, title: String, answer: [String] = [], tables: [Table] = [],
      figures: [Figure] = [], notebookCode: String? = nil
    ) {
      (self.name, self.title, self.answer) = (name, title, answer)
      (self.tables, self.figures, self.notebookCode) = (tables, figures, notebookCode)
    }
  }

  /// All reports of one experiment.
  public struct Chapter: Sendable {
    /// The name of the experiment: any text.
    public var experiment: String
    /// The verdict and its reason, failed checks first.
    public var answer: [String]
    /// What it comes to, for each point and slot; empty if nothing was compared.
    public var cards: [TableCard]
    /// The reports, in reading order.
    public var sections: [Section]

    /// Creates a chapter.
    public init(
      experiment: String, answer: [String] = [], cards: [TableCard] = [], sections: [Section] = []
    ) {
      (self.experiment, self.answer) = (experiment, answer)
      (self.cards, self.sections) = (cards, sections)
    }

    /// The first sentences of its cards, else its answer.
    public var headlines: [String] {
      cards.isEmpty
        ? answer
        : cards.map { cards.count > 1 ? "\($0.title): \($0.headline)" : $0.headline }
    }
  }

  /// The title.
  public var title: String
  /// What is wrong with the whole log, such as lost events; empty for a log that is whole.
  public var alerts: [String]
  /// The answer of the log: its alerts, which variants win, and the checks that failed.
  public var answer: [String]
  /// Facts about the log by name, such as its number of events and its first and last time.
  public var facts: [(name: String, value: String)]
  /// The reports of the whole log: health first.
  public var overview: [Section]
  /// The experiments, in natural order of their names.
  public var chapters: [Chapter]
  /// The whole tidy tables, each of which becomes a CSV file: the rows of all sections.
  public var tables: [Table]
  /// The definitions behind the reports, by name of the report.
  public var methods: [(report: String, explanation: Explanation)]

  /// Creates a book.
  public init(
    title: String, alerts: [String] = [], answer: [String] = [], facts: [(name: String, value: String)] = [],
    overview: [Section] = [], chapters: [Chapter] = [], tables: [Table] = [],
    methods: [(report: String, explanation: Explanation)] = []
  ) {
    (self.title, self.alerts, self.answer, self.facts) = (title, alerts, answer, facts)
    (self.overview, self.chapters) = (overview, chapters)
    (self.tables, self.methods) = (tables, methods)
  }
}
