/// What a part of a table comes to, for people: which one, by how much, how sure, whether to believe it, what next.
///
/// In a terminal, in Markdown and on a page cards stand before the rows, and in a terminal in place of those that are
/// not broken down.
public struct TableCard: Equatable, Sendable {
  /// How good the news is.
  public enum Tone: String, Sendable, CaseIterable {
    /// A better variant.
    case good
    /// A worse variant, or a broken guardrail.
    case bad
    /// Data that must not be read.
    case invalid
  }

  /// A line below the rows.
  public struct Line: Equatable, Sendable {
    /// What it is about, such as `Guardrails`.
    public var name: String
    /// What it says.
    public var text: String

    /// Creates a line.
    public init(_ name: String, _ text: String) { (self.name, self.text) = (name, text) }
  }

  /// The experiment, by which tables are divided.
  public var experiment: String
  /// The heading: the experiment, with its point and slot where there are several.
  public var title: String
  /// How far it is: days, units and the time of the last event.
  public var facts: [String]
  /// The first sentence.
  public var headline: String
  /// How good the news is; nil for neither good nor bad.
  public var tone: Tone?
  /// A row for each variant, the baseline first.
  public var table: Table
  /// The lines below the rows.
  public var lines: [Line]

  /// Creates a card.
  public init(
    experiment: String, title: String, facts: [String] = [], headline: String, tone: Tone? = nil,
    table: Table, lines: [Line] = []
  ) {
    (self.experiment, self.title, self.facts) = (experiment, title, facts)
    (self.headline, self.tone) = (headline, tone)
    (self.table, self.lines) = (table, lines)
  }
}
