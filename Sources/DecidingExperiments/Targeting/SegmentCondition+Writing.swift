internal import DecidingCore
internal import Events

extension SegmentCondition {
  /// The condition as configured.
  var json: JSONValue {
    var members = test.members
    if !include { members["include"] = false }
    return .object(members)
  }
}

extension SegmentCondition.Test {
  fileprivate var members: JSONObject {
    switch self {
    case .custom(let key, let test):
      return Self.object(.customDatum, ["index": .string(key)], test)
    case .conversion(let goal):
      return Self.object(.conversions, ["goal": .string(goal?.rawValue ?? "0")])
    case .exclusiveCampaign(let campaign):
      return Self.object(.exclusiveCampaign, ["campaign": .string(campaign.rawValue)])
    case .interest(let index): return Self.object(.interest, ["index": .integer(Int64(index))])
    case .browser(let name, let version):
      return Self.object(.browser, ["name": .string(name)], version)
    case .system(let name, let version):
      return Self.object(.operatingSystem, ["name": .string(name)], version)
    case .applicationVersion(let version): return Self.object(.applicationVersion, [:], version)
    case .device(let device): return Self.object(.deviceType, ["device": .string(device.rawValue)])
    case .place(let country, let region, let city):
      return Self.object(
        .geolocation,
        [
          "country": country.map { .string($0) }, "region": region.map { .string($0) },
          "city": city.map { .string($0) },
        ])
    case .cookie(let name, let test): return Self.object(.cookie, ["name": .string(name)], test)
    case .pageAddress(let test): return Self.object(.pageURL, [:], test)
    case .pageTitle(let test): return Self.object(.pageTitle, [:], test)
    case .previousPage(let test): return Self.object(.previousPage, [:], test)
    case .userID(let test): return Self.object(.visitorCode, [:], test)
    case .segment(let id, _): return Self.object(.segment, ["segment": .string(id)])
    case .unknown(let type, let members):
      var members = members
      members["type"] = .string(type)
      return members
    default: return numbers
    }
  }

  private var numbers: JSONObject {
    switch self {
    case .pageViews(let address, let comparison, let count):
      return Self.object(
        .pageViews, ["url": address.map { .string($0) }, "value": .integer(Int64(count))],
        comparison)
    case .visits(let comparison, let count):
      return Self.object(.visits, ["value": .integer(Int64(count))], comparison)
    case .visitsToday(let comparison, let count, let offset):
      return Self.object(
        .sameDayVisits,
        ["value": .integer(Int64(count)), "offsetMinutes": .integer(Int64(offset))], comparison)
    case .isNewVisitor(let isNew): return Self.object(.newVisitors, ["value": .boolean(isNew)])
    case .sinceFirstVisit(let comparison, let seconds):
      return Self.object(.firstVisit, ["seconds": .number(seconds)], comparison)
    case .sinceLastVisit(let comparison, let seconds):
      return Self.object(.lastVisit, ["seconds": .number(seconds)], comparison)
    case .likelihoodToConvert(let goal, let comparison, let value):
      return Self.object(
        .likelihoodToConvert, ["goal": goal.map { .string($0.rawValue) }, "value": .number(value)],
        comparison)
    case .flag(let flag, let variation, let rule):
      return Self.object(
        .featureFlag,
        [
          "flag": .string(flag.rawValue), "variation": variation.map { .string($0.rawValue) },
          "rule": rule.map { .string($0) },
        ])
    case .experiment(let experiment, let variation):
      return Self.object(
        .experiment,
        [
          "experiment": .string(experiment.rawValue),
          "variation": variation.map { .string($0.rawValue) },
        ])
    default: return JSONObject()
    }
  }

  private static func object(
    _ type: ConditionType, _ parts: KeyValuePairs<String, JSONValue?>
  ) -> JSONObject {
    var members: JSONObject = ["type": .string(type.rawValue)]
    for (name, value) in parts { members[name] = value }
    return members
  }

  private static func object(
    _ type: ConditionType, _ parts: KeyValuePairs<String, JSONValue?>,
    _ comparison: SegmentComparison
  ) -> JSONObject {
    var members = object(type, parts)
    members["operator"] = .string(comparison.rawValue)
    return members
  }

  private static func object(
    _ type: ConditionType, _ parts: KeyValuePairs<String, JSONValue?>,
    _ version: SegmentCondition.VersionTest?
  ) -> JSONObject {
    var members = object(type, parts)
    members["operator"] = version.map { .string($0.comparison.rawValue) }
    members["version"] = version.map { .string($0.version) }
    return members
  }

  private static func object(
    _ type: ConditionType, _ parts: KeyValuePairs<String, JSONValue?>, _ test: SegmentTextTest
  ) -> JSONObject {
    var members = object(type, parts)
    let (name, value) = test.parts
    members["operator"] = .string(name.rawValue)
    members["value"] = value
    return members
  }
}

extension SegmentTextTest {
  fileprivate var parts: (Operator, JSONValue?) {
    switch self {
    case .contains(let text): (.contains, .string(text))
    case .exact(let text): (.exact, .string(text))
    case .regularExpression(let pattern): (.regularExpression, .string(pattern.source))
    case .number(.lower, let number): (.lower, .string(number))
    case .number(.equal, let number): (.equal, .string(number))
    case .number(.greater, let number): (.greater, .string(number))
    case .isTrue: (.isTrue, nil)
    case .isFalse: (.isFalse, nil)
    case .among(let texts): (.among, .array(texts.map { .string($0) }))
    case .undefined: (.undefined, nil)
    }
  }
}
