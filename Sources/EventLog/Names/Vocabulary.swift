/// The log's dictionaries. A name gets the next free code of its vocabulary when it first appears, and
/// keeps it in every segment of the log; code 0 stands for no name. The raw values stand in the log
/// and never change.
public enum Vocabulary: UInt8, CaseIterable, Sendable {
  /// Whoever is assigned.
  case units = 1
  /// What is decided.
  case experiments = 2
  /// Where in the app.
  case points = 3
  /// Which of several decisions at a point.
  case slots = 4
  /// What is chosen, or could be.
  case variants = 5
  /// What chooses.
  case policies = 6
  /// Why.
  case reasons = 7
  /// The codes of goals.
  case goals = 8
  /// The kinds of data points.
  case dataKinds = 9
  /// The keys of data points, and what a configuration changed.
  case keys = 10
  /// The systems that wrote events or are configured, and the names of their instances.
  case systems = 11
  /// The names of attributes.
  case attributes = 12
  /// The short values of attributes and data points.
  case values = 13
  /// Lists of names, as numbers of variable length: their count, and the code of each.
  case lists = 14
  /// Which attributes an object has; see `AttributeShape`.
  case shapes = 15

  /// The word that `log info` shows.
  public var name: String { "\(self)" }

  /// Its place among all vocabularies, from 0.
  var index: Int { Int(rawValue) - 1 }

  /// The code that the first name gets. Where a text that is long or one of too many stands in the
  /// frame itself, code 1 says so.
  var firstCode: UInt32 {
    switch self {
    case .values, .lists, .shapes: 2
    default: 1
    }
  }

  /// The code that says that the text stands in the frame itself.
  static let literalCode: UInt32 = 1

  /// The largest vocabulary of texts that may stand in the frame itself: the rest does.
  static let literalLimit = 1 << 16

  /// Texts longer than this stand in the frame itself.
  var longestText: Int { self == .values ? 64 : 4_096 }
}
