import Events

@testable import Interchange

/// The parsers and importers that are fed with arbitrary bytes: by libFuzzer (`make fuzz`), and by the tests with the
/// corpora that are kept.
///
/// Inputs are imported whole and in small portions, through a session, as the file of rejects that it wrote, and the
/// events as native JSON Lines: see ``FuzzedImport``.
enum ImportFuzzTarget: String, CaseIterable {
  /// A JSON text, against Foundation and the parser of configurations.
  case jsonnode
  /// CSV, with the separator that the first byte selects, against a naive splitter.
  case csv
  /// A log of the Decision Service.
  case dsjson
  /// Vowpal Wabbit's text format.
  case vw
  /// The Yahoo! data, version 1 or 2 by the first byte.
  case yahoo
  /// The Criteo data.
  case criteo
  /// An Open Bandit file, after the table of items and a line `---` if there is one.
  case obd
  /// A table in the format that the first byte selects.
  case rows
  /// JSON in the format that the first byte selects.
  case objects
  /// A table or JSON after a line with the entries of a mapping, separated by semicolons.
  case mapping
  /// An input whose format is recognized.
  case recognition
  /// The rows of a file of rejects, in the format that the first byte selects.
  case rejects
  /// A gzip file of any number of members.
  case gzip
  /// An Arrow stream: of events, of a table with a mapping, or of a table of another system, by the first byte.
  case arrow
  /// Records in the format that the first byte selects, in pieces of the size that the second says.
  case pieces

  /// What a target finds wrong beside traps.
  struct Failure: Error {
    var description: String
  }

  /// Feeds the target.
  func run(_ bytes: [UInt8]) throws {
    switch self {
    case .jsonnode: try Self.jsonNodes(bytes)
    case .csv: try Self.csv(bytes)
    case .dsjson: try Self.records(bytes, Self.opening("dsjson"))
    case .vw: try Self.records(bytes, Self.opening("vw"))
    case .yahoo: try Self.selected(bytes, among: ["yahoo-r6a", "yahoo-r6b"])
    case .criteo: try Self.records(bytes, Self.opening("criteo"))
    case .obd: try Self.openBandit(bytes)
    case .rows: try Self.selected(bytes, among: Self.tables)
    case .objects: try Self.selected(bytes, among: Self.documents)
    case .mapping: try Self.mapping(bytes)
    case .recognition: try Self.recognition(bytes)
    case .rejects: try Self.rejects(bytes)
    case .gzip: try Self.gzip(bytes)
    case .arrow: try Self.arrow(bytes)
    case .pieces: try Self.pieces(bytes)
    }
  }

  static func require(_ condition: Bool, _ description: @autoclosure () -> String) throws {
    guard condition else { throw Failure(description: description()) }
  }
}

// The formats by the first byte. A new one is added at the end, so that the corpora keep their meaning.
extension ImportFuzzTarget {
  /// The formats with tables.
  private static let tables = [
    "amplitude", "cloudevents", "eppo", "go-feature-flag", "ga4", "growthbook",
    "growthbook-facts", "launchdarkly", "mixpanel", "optimizely", "posthog", "segment", "snowplow",
    "statsig", "unleash", "growthbook:unit=visitor", "growthbook-facts:value=price,goal=sale",
    "launchdarkly:kind=device",
  ]

  /// The formats with JSON objects.
  static let documents = tables + ["otel", "dsjson:actions=tag", "jsonl"]

  /// The formats of text.
  static let texts = documents + ["vw", "yahoo-r6a", "yahoo-r6b", "criteo", "obd"]

  /// Imports what follows the first byte in the format that it selects.
  private static func selected(_ bytes: [UInt8], among formats: [String]) throws {
    guard let first = bytes.first else { return }
    let format = formats[Int(first) % formats.count]
    try records(Array(bytes.dropFirst()), opening(format))
  }

  /// Imports the rows of a file of rejects.
  private static func rejects(_ bytes: [UInt8]) throws {
    guard let first = bytes.first else { return }
    let open = try opening(texts[Int(first) % texts.count])
    let file = Array((RejectsWriter.heading + "\n").utf8) + bytes.dropFirst()
    try records(file) { (source) throws(ImportError) in
      var source = source
      if let content = try RejectsInput.unwrapped(&source) { source = content }
      return try open(source)
    }
  }
}
