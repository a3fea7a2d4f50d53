public import Specifications

/// `vw`: the text format of Vowpal Wabbit, with contextual bandit labels `action:cost:probability`.
///
/// | input | becomes |
/// |---|---|
/// | lines up to a blank line | a decision for each chosen action, and a goal for each cost that is not 0 |
/// | `shared \|` | the features that follow are `context` |
/// | `a:cost:probability \|` | the chosen action, called by its position among the actions, from 1; the propensity |
/// | `\|` without label | another action |
/// | if the first two lines both have such a label | an event on each line: action `a`, the features are `context` |
/// | then `a1:cost:probability a2 a3 \|` | the choices `a1`, `a2`, `a3`; further costs are `metadata` of the goal |
/// | `ccb shared`, `ccb action`, `ccb slot` | an event with a decision for each slot `1`, `2`, ... |
/// | `ccb slot a:cost:probability,a2:probability2 ids \|` | action a + 1, its propensity, choices and probabilities |
/// | `ids` of such a line, if the label has a single action | the choices, without those chosen for earlier slots |
/// | features of a slot | `context`, as `_slot.namespace.name` |
/// | `\|namespace:weight name:value name` | `namespace.name`: value times weight, which are 1 if not given |
/// | a tag, as in `'tag \|` or `tag\|` | `_tag`, among the features of its line |
/// | cost | a goal `reward` of value -cost at the decision's time, unless it is 0 |
///
/// Such files have no times and no units: the time is 1970-01-01 plus the event's number in seconds, counted from 1,
/// and the unit `<experiment>-<number>`, or `<experiment>-<file>-<number>` if the experiment is not named after the
/// file. A feature that occurs twice on a line is added up, as Vowpal Wabbit does.
///
/// Events without a chosen action, with a continuous one, and slates are counted and not imported.
public struct VowpalWabbitText: ImportFormat {
  public static let info = SpecificationInfo(
    "vw", "Vowpal Wabbit's text format with contextual bandit labels",
    source: "https://github.com/VowpalWabbit/vowpal_wabbit/wiki/Contextual-Bandit-algorithms")

  public static let recognition =
    "first line begins with shared, ccb, or a label action:cost:probability"

  /// Creates the format.
  public init() {}

  public static func match(_ sample: InputSample) -> FormatMatch {
    guard sample.keys == nil, sample.line.contains(UInt8(ascii: "|")) else { return .unrelated }
    let line = VowpalWabbitLine(sample.line[...])
    switch line.kind {
    case .shared, .slotShared, .slotAction, .slot:
      let words = line.words.prefix(2).prefix { sample.line[$0].allSatisfy { $0 >= 0x61 } }
      let start = words.map { String(decoding: sample.line[$0], as: UTF8.self) }
      return .match("a line that begins with \"\(start.joined(separator: " "))\"")
    case .plain:
      guard let word = line.words.first,
        let label = try? VowpalWabbitLabel(sample.line[word]),
        let chance = label.probability, chance > 0, chance <= 1
      else { return .unrelated }
      return .match("the label \"\(String(decoding: sample.line[word], as: UTF8.self))\"")
    case .other: return .unrelated
    }
  }

  /// Returns a source of one event for each block of lines, or each line.
  public func open(_ input: ImportInput) throws(ImportError) -> any RecordSource {
    BlockSource(input.bytes, VowpalWabbitCutter(input.bytes), try VowpalWabbitReader(input))
  }
}
