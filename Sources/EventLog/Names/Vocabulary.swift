/// A dictionary of names in the log. A name gets the next free code of its vocabulary when it first appears, and keeps
/// it in every segment of the log; code 0 stands for no name. The raw values are part of the log format and never
/// change.
public enum Vocabulary: UInt8, CaseIterable, Sendable {
  /// The units.
  case units = 1
  /// The experiments.
  case experiments = 2
  /// The points.
  case points = 3
  /// The slots.
  case slots = 4
  /// The variants.
  case variants = 5
  /// The policies.
  case policies = 6
  /// The reasons of decisions and goals.
  case reasons = 7
  /// The codes of goals.
  case goals = 8
  /// The kinds of data points.
  case dataKinds = 9
  /// The keys of data points, and the names of what a configuration changed.
  case keys = 10
  /// The systems that wrote events or are configured, and the names of their instances.
  case systems = 11
  /// The names of attributes.
  case attributes = 12
  /// The short text values of attributes and data points.
  case values = 13
  /// Lists of names, as varints: their number, and the code of each.
  case lists = 14
  /// The attribute lists of objects; see `AttributeShape`.
  case shapes = 15

  /// The name shown by `log info`.
  public var name: String { "\(self)" }

  /// The index among all vocabularies, from 0.
  var index: Int { Int(rawValue) - 1 }

  /// The code of the first name. In vocabularies whose long or excess texts are stored in the frame itself, code 1
  /// marks those.
  package var firstCode: UInt32 {
    switch self {
    case .values, .lists, .shapes: 2
    default: 1
    }
  }

  /// The code that marks a text stored in the frame itself.
  static let literalCode: UInt32 = 1

  /// The maximum size of a vocabulary whose texts may be stored in the frame itself; further texts are.
  static let literalLimit = 1 << 16

  /// The length above which texts are stored in the frame itself.
  var longestText: Int { self == .values ? 64 : 4_096 }
}
