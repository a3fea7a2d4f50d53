/// A format that can be imported.
public struct ImportFormat: Hashable, Sendable {
  /// The word for it on the command line.
  public let name: String
  /// What it is, in one line.
  public let summary: String
  /// How it is told from others, in one line.
  public let recognised: String
  /// Where it is documented.
  public let documentation: String

  /// Bandolier's own JSON Lines.
  public static let jsonLines = ImportFormat(
    name: "jsonl",
    summary: "Bandolier's own events, one JSON object per line",
    recognised: "first line is a JSON object with the key \"type\"",
    documentation: "Sources/Events/Events.docc/JSONLinesFormat.md")

  /// The Open Bandit Dataset.
  public static let openBandit = ImportFormat(
    name: "obd",
    summary: "Open Bandit Dataset: one impression per CSV row, with position, propensity and click",
    recognised:
      "header with item_id, position, click and propensity_score or action_prob",
    documentation: "https://arxiv.org/abs/2008.07146")

  /// Every format, in the order in which they are listed.
  public static let all: [ImportFormat] = [.jsonLines, .openBandit]

  /// The format with the given name.
  ///
  /// - Throws: ``ImportError`` `usage`, which lists the names there are.
  public static func named(_ name: String) throws(ImportError) -> ImportFormat {
    for format in all where format.name == name { return format }
    throw ImportError(
      .usage,
      "there is no format \"\(name)\"; the formats are \(all.map(\.name).joined(separator: ", "))")
  }
}
