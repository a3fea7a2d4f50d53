internal import DecidingCore
internal import Events

/// The evaluations and conversions that providers of GO Feature Flag collect and send together, as the events that the
/// importer of its exports makes of them.
struct CollectedFlagEvents {
  /// The events.
  private(set) var events: [Event] = []

  /// An invalid body.
  struct Problem: Error, Hashable {
    var message: String
  }

  /// The system of the events, so that they change no decision.
  static let system: SystemID = "go-feature-flag"

  /// Reads the body `{"meta":{…},"events":[{"kind":"feature","userKey":"u-1","creationDate":1700000000,"key":"flag",
  /// "variation":"on","value":true,"default":false,"source":"PROVIDER_CACHE"}]}`.
  init(_ body: [UInt8]) throws(Problem) {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: body)
    } catch {
      throw Problem(message: "the body is not JSON: \(error)")
    }
    guard let list = json["events"]?.array else {
      throw Problem(message: "the body has no list of events; send {\"events\":[…]}")
    }
    for (index, item) in list.enumerated() {
      do throws(Problem) {
        events.append(try Self.event(item))
      } catch {
        throw Problem(message: "events[\(index)]: \(error.message)")
      }
    }
  }

  private static func event(_ item: JSONValue) throws(Problem) -> Event {
    guard let unit = item["userKey"]?.string, !unit.isEmpty else {
      throw Problem(message: "there is no userKey; give the id of the user")
    }
    guard let key = item["key"]?.string, !key.isEmpty else {
      throw Problem(message: "there is no key; give that of the flag or of the tracked event")
    }
    guard let time = time(item["creationDate"]) else {
      throw Problem(message: "creationDate is no time; give a number since 1970")
    }
    // Records have no id: those that are equal in everything are stored once, as by the importer.
    let id = EntityTag(of: Array(item.description.utf8)).digits
    return Event(
      time: time, unit: UnitID(unit), id: EventID("go-feature-flag-" + id), system: system,
      payload: try payload(item, key))
  }

  private static func time(_ value: JSONValue?) -> Timestamp? {
    switch value {
    case .integer(let whole): Timestamp(sinceEpoch: whole)
    case .number(let number): Timestamp(sinceEpoch: number)
    default: nil
    }
  }

  private static func payload(_ item: JSONValue, _ key: String) throws(Problem) -> Payload {
    switch item["kind"]?.string ?? "feature" {
    case "feature":
      let variant = item["variation"]?.string ?? item["value"].map { $0.string ?? "\($0)" } ?? ""
      guard !variant.isEmpty else {
        throw Problem(message: "there is no variation and no value; give one of them")
      }
      // A value from a cache of the provider shows a decision again that was made before.
      let isRepeated = item["source"]?.string == "PROVIDER_CACHE"
      let status: EventStatus? =
        item["default"]?.boolean == true ? .excluded : isRepeated ? .repeated : nil
      return .decision(
        Decision(
          experiment: ExperimentID(key), variant: VariantID(variant), status: status,
          context: context(item)))
    case "tracking":
      let revenue = item["trackingEventDetails"]?["revenue"]?.number
      return .conversion(Conversion(goal: GoalID(key), revenue: revenue))
    case let kind:
      throw Problem(
        message: "kind is \(kind.debugDescription); it must be \"feature\" or \"tracking\"")
    }
  }

  private static func context(_ item: JSONValue) -> Attributes? {
    var context = Attributes()
    for name in ["contextKind", "source", "version"] {
      if let text = item[name]?.string { context[name] = .text(text) }
    }
    return context.entries.isEmpty ? nil : context
  }
}
