public import Specifications

/// `dsjson`: logs of the Azure Personalizer and Decision Service and of the Vowpal Wabbit client library, one event per
/// line: contextual bandits, conditional contextual bandits with several slots, and slates.
///
/// | field | becomes |
/// |---|---|
/// | `EventId`; without it `<experiment>-<line>` or `<experiment>-<file>-<line>`, and no id | the unit, and the id |
/// | `Timestamp`, else `EnqueuedTimeUtc` | the time; without both, see below |
/// | `a[0]`, else `_label_Action` | the variant: the action's number from 1. A list `a` with a 0 counts from 0. |
/// | `c._multi[]` | the choices, in this order; without it, the actions in `a` |
/// | `p` or `_p`, the later one | the probabilities, in the order of the choices, if there is one for each |
/// | `_label_probability`, else `p[0]` | the propensity |
/// | members of `c` | `context`, as `namespace.key` |
/// | members of `c._multi[]` | the features of that choice, as `namespace.key` |
/// | `_label_cost` | if it is not 0 or NaN, a goal `reward` of value -cost at the decision's time |
/// | `_original_label_cost` | `metadata` of the goal, if it differs from `_label_cost` |
/// | `o` | `metadata` of the goal, if there is one |
/// | `VWState.m` | the policy |
/// | `_deferred` or `DeferredAction` true | the status `provisional` |
/// | then, in `o`, `ActionTaken` true or `DeferredAction` false | a `decisionConfirmed` |
/// | `_outcomes[]` | a decision for each, of slot `1`, `2`, ...; `_a` counts from 0 |
/// | `EventId` and the slot, as `EventId#1` | the id of that decision |
/// | `_outcomes[]._id`, else `c._slots[]._id` | `context` of that decision, as `_slot._id` |
/// | `_outcomes[]._label_cost` | a goal of that slot |
/// | `_label_cost` beside `_outcomes`, if none of them gives a goal | a goal without slot |
/// | members of `c._slots[]` | `context` of that slot's decision, as `_slot.namespace.key` |
/// | `c._multi[]._slot_id` | the slot of an action of a slate; actions are numbered in their slot |
/// | `pdrop` | `context`; 1 or more is invalid |
/// | `RewardValue` of a line without `c` and `a` | a goal `reward` of the unit `EventId` at `EnqueuedTimeUtc` |
/// | `DeferredAction` false of such a line | a `decisionConfirmed` |
/// | `Version`, `_labelIndex`, `c._slots[]._inc` | not kept |
/// | all other fields, such as `_skipLearn`, `_ba` | `context` of a decision, `metadata` of a goal |
///
/// The choices of a slot are the actions in its `_a`; if that is a single one, those that `_inc` allows without those
/// chosen for earlier slots. The choices in a slate are the slot's actions.
///
/// The objects of a namespace that is a list are merged; a name that repeats gets the index of its object, as in
/// `namespace.1.key`, and an element that is no object is `namespace.0`.
///
/// An outcome whose decision is in another file names the event, which is the unit. The name of a slot is a place on
/// the page that every event has, so it tells no events apart. Events that share an `EventId` and differ are all kept.
///
/// A line without time gets the time of the last line that had one, or 1970-01-01 plus its line number in seconds if
/// none had; its decisions have the reason `assumed time`.
///
/// Events with a continuous action, without actions, or without a chosen one, outcomes without a reward, and lines that
/// do not begin with `{` are counted and not imported.
public struct DecisionServiceJSON: FieldFormat {
  /// The names of actions.
  public enum ActionNames: String, CaseIterable, Sendable {
    /// By their number from 1.
    case number
    /// By their `_tag`, else `i.id`.
    case tag
  }

  public static let info = SpecificationInfo(
    "dsjson", "logs of Vowpal Wabbit, Personalizer and Decision Service, one JSON object per line",
    source: "https://github.com/VowpalWabbit/vowpal_wabbit/wiki/DSJson-Format",
    example: "dsjson:actions=tag")

  public static let recognition =
    "JSON with c and _label_cost, _outcomes, VWState or EventId; or with EventId and RewardValue"

  /// The names of actions.
  public var actionNames = ActionNames.number

  /// Creates the format with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    Field.word(
      "actions", \.actionNames, "whether variants are the number of the action or its _tag or i.id")
  }

  public static func match(_ sample: InputSample) -> FormatMatch {
    let mark = "[CHECKPOINT INFO LINE]"
    if sample.line.starts(with: mark.utf8) { return .match("the line \"\(mark)\"") }
    guard sample.keys != nil else { return .unrelated }
    if case .match(let reason) = sample.match(fields: "EventId", "RewardValue") {
      return .match(reason)
    }
    return sample.match(
      fields: "c", oneOf: ["_label_cost", "_outcomes", "VWState", "EventId", "_label_ca"])
  }

  public func makeReader(_ input: ImportInput) throws(ImportError) -> DecisionServiceReader {
    try DecisionServiceReader(input, names: actionNames)
  }
}
