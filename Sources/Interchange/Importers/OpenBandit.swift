public import Specifications

/// `obd`: the Open Bandit Dataset as published (Y. Saito, S. Aihara, M. Matsutani, Y. Narita, "Open
/// Bandit Dataset and Pipeline", arXiv:2008.07146): one decision per row, followed by a goal if
/// the item was clicked.
///
/// | column | becomes |
/// |---|---|
/// | (no name) | the number in the unit `<experiment>-<number>`; without it, the record's number from 0 |
/// | `timestamp` | the time of both events: ISO 8601 with offset, or a number since 1970 |
/// | `item_id` | the variant; with affinity columns one of the choices |
/// | `position` | the slot |
/// | `click` | 1: a goal `click` of value 1, at the same time, directly after its decision; 0: none |
/// | `propensity_score` or `action_prob` | the propensity |
/// | `user-item_affinity_<k>` | the choices `0`...`K-1`; where it is not 0, its feature `user-item_affinity` |
/// | any other | context, as text; an empty field is left out |
///
/// The columns of `item_context.csv`, if given, are features of every choice. Rows of the same number in several files
/// of one experiment are one unit: give each file an experiment of its own.
public struct OpenBandit: ImportFormat {
  public static let info = SpecificationInfo(
    "obd", "Open Bandit Dataset: one impression per CSV row, with position, propensity and click",
    source: "https://arxiv.org/abs/2008.07146", example: "obd:items=item_context.csv")

  public static let recognition =
    "header with item_id, position, click and propensity_score or action_prob"

  /// The path of the `item_context.csv` with the features of the items; nil for none.
  public var items: String?

  /// Creates the format with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    Field.text("items", \.items, "the item_context.csv with the features of the items")
  }

  public static func match(_ sample: InputSample) -> FormatMatch {
    sample.match(
      columns: "item_id", "position", "click", oneOf: ["propensity_score", "action_prob"])
  }

  /// Returns a source of one decision for each row, and a goal for each click.
  public func open(_ input: ImportInput) throws(ImportError) -> any RecordSource {
    let experiment = try input.experimentName()
    return try CSVSource(input.bytes) { (header) throws(ImportError) in
      let columns = try OpenBanditColumns(header)
      let items = if let items { try OpenBanditItems(input.open(items)) } else { OpenBanditItems() }
      return OpenBanditReader(
        experiment: experiment, columns, items)
    }
  }
}
