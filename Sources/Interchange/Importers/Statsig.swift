import Events
public import Specifications

/// Exposures and events of Statsig, as JSON objects or CSV, in the forms of its exports:
///
/// | webhook | events table | becomes |
/// |---|---|---|
/// | `timeUUID` | | the id |
/// | `timestamp` | `timestamp` | the time |
/// | the `user` member that `unitID` names, else `userID`, `user.userID` | `user_id`, else `stable_id` | the unit |
/// | `eventName` = `statsig::..._exposure` | `event_name` | a decision |
/// | `metadata.gate`, else `allocatedExperiment`, `config` | | its experiment |
/// | `metadata.gateValue` of a gate, else `ruleID`, `experimentGroupName` | | its variant |
/// | any other `eventName` | any other `event_name` | a conversion with that goal |
/// | `value`, if `metadata.currency` is there | `event_value`, likewise | its revenue |
///
/// | exposure export | forwarded exposures | becomes |
/// |---|---|---|
/// | `name`, `group_id`, `unit_id` and `first_exposure_utc` | | the id, joined with `#` |
/// | `first_exposure_utc` | `timestamp` | the time |
/// | `unit_id` | `user_id`, else `stable_id`, else the first column that ends in `id` | the unit |
/// | `name` | `experiment_id` | the experiment of a decision |
/// | `group_id`, else `experiment_group`, `rule` | `group_id`, else `group_name` | its variant |
///
/// All other fields go to the `context` of a decision or the `metadata` of a conversion; `user_dimensions` may be JSON
/// text. A `value` without a currency is no revenue, since Statsig takes any number there. `statsig::config_change` and
/// other events of the system itself are counted and not imported. A request of the webhook, `{"data":[...]}`, stands
/// for its events.
public struct Statsig: FieldFormat {
  public static let info = SpecificationInfo(
    "statsig", "exposures and events of Statsig, as JSON objects or CSV",
    source: "https://docs.statsig.com/integrations/event_webhook")

  public static let recognition =
    "eventName and timeUUID, exposure_type and unit_id, or experiment_id and group_id"

  /// Creates the format, which has no parameters.
  public init() {}

  /// The names of lists of events: that of a request of the webhook, and that of several in one.
  static let listNames = ["data", "batch"]

  public static func match(_ input: InputSample) -> FormatMatch {
    let sample = input.ofRecord(in: listNames)
    if sample.has("exposure_type") {
      return sample.match(fields: "exposure_type", "unit_id", "name", "first_exposure_utc")
    }
    if sample.has("group_id"), !sample.has("variation_id") {
      return sample.match(
        fields: "group_id", "experiment_id", "timestamp",
        oneOf: ["group_name", "user_id", "stable_id", "user_dimensions"])
    }
    if sample.has("event_name") {
      return sample.match(
        fields: "event_name", "timestamp", oneOf: ["statsig_metadata", "company_metadata"])
    }
    return sample.match(
      fields: "eventName", "timestamp", oneOf: ["statsigMetadata", "timeUUID", "unitID", "userID"])
  }

  public func makeReader(_ input: ImportInput) -> StatsigReader { StatsigReader() }
}
