internal import DecidingCore
internal import Events

extension SegmentCondition {
  /// Reads a condition such as
  /// `{"type":"CUSTOM_DATUM","index":1,"operator":"EXACT","value":"x","include":true}`.
  init(
    _ reader: ConfigurationReader, segments: inout SegmentReader
  ) throws(ExperimentError) {
    let type = try reader.required("type").text()
    include = try reader.optional("include")?.flag() ?? true
    guard let name = ConditionType(rawValue: type) else {
      var others = try reader.members()
      (others["type"], others["include"]) = (nil, nil)
      test = .unknown(type: type, others)
      return
    }
    test = try Self.test(name, reader, &segments)
  }

  private static func test(
    _ type: ConditionType, _ reader: ConfigurationReader, _ segments: inout SegmentReader
  ) throws(ExperimentError) -> Test {
    switch type {
    case .customDatum:
      if let index = reader.optional("index") {
        return .custom(try index.id(), try SegmentTextTest(reader))
      }
      return .custom(try reader.required("name").id(), try SegmentTextTest(reader))
    case .conversions:
      let goal = try reader.required("goal").id()
      return .conversion(goal == "0" ? nil : GoalID(goal))
    case .exclusiveCampaign:
      return .exclusiveCampaign(try reader.required("campaign").word(Campaign.self))
    case .interest: return .interest(try reader.required("index").count())
    case .deviceType: return .device(try reader.required("device").word(VisitorDevice.self))
    case .geolocation:
      return .place(
        country: try reader.optional("country")?.text(),
        region: try reader.optional("region")?.text(), city: try reader.optional("city")?.text())
    case .segment:
      let member = try reader.required("segment")
      return .segment(try member.id(), try segments.segment(member))
    case .visits, .sameDayVisits, .newVisitors, .firstVisit, .lastVisit:
      return try visits(type, reader)
    case .browser, .operatingSystem, .applicationVersion: return try versions(type, reader)
    case .cookie, .pageURL, .pageTitle, .previousPage, .visitorCode: return try texts(type, reader)
    case .pageViews:
      return .pageViews(
        try reader.optional("url")?.text(), try reader.comparison(),
        try reader.required("value").count())
    case .featureFlag, .experiment, .likelihoodToConvert: return try campaigns(type, reader)
    }
  }

  private static func visits(
    _ type: ConditionType, _ reader: ConfigurationReader
  ) throws(ExperimentError) -> Test {
    switch type {
    case .newVisitors: return .isNewVisitor(try reader.optional("value")?.flag() ?? true)
    case .visits: return .visits(try reader.comparison(), try reader.required("value").count())
    case .sameDayVisits:
      let offset = reader.optional("offsetMinutes")
      let minutes = try offset?.whole() ?? 0
      guard abs(minutes.clamped) <= 1_440 else {
        throw .invalidConfiguration(
          path: offset?.path ?? reader.path, reason: "is \(minutes); give minutes in -1440 ... 1440"
        )
      }
      return .visitsToday(
        try reader.comparison(), try reader.required("value").count(),
        offsetMinutes: Int(minutes))
    case .firstVisit:
      return .sinceFirstVisit(
        try reader.comparison(), seconds: try reader.required("seconds").number())
    default:
      return .sinceLastVisit(
        try reader.comparison(), seconds: try reader.required("seconds").number())
    }
  }

  private static func versions(
    _ type: ConditionType, _ reader: ConfigurationReader
  ) throws(ExperimentError) -> Test {
    var version: VersionTest?
    let hasVersion = reader.optional("version") != nil
    if type == .applicationVersion || hasVersion {
      let text = try reader.required("version").text()
      version = VersionTest(try reader.comparison(), text)
    }
    if let version, type == .applicationVersion { return .applicationVersion(version) }
    let name = try reader.required("name").text()
    return type == .browser ? .browser(name, version) : .system(name, version)
  }

  private static func texts(
    _ type: ConditionType, _ reader: ConfigurationReader
  ) throws(ExperimentError) -> Test {
    let test = try SegmentTextTest(reader)
    switch type {
    case .cookie: return .cookie(try reader.required("name").text(), test)
    case .pageURL: return .pageAddress(test)
    case .pageTitle: return .pageTitle(test)
    case .previousPage: return .previousPage(test)
    default: return .userID(test)
    }
  }

  private static func campaigns(
    _ type: ConditionType, _ reader: ConfigurationReader
  ) throws(ExperimentError) -> Test {
    let variation = try reader.optional("variation").map { member throws(ExperimentError) in
      VariationID(try member.id()).normalized
    }
    switch type {
    case .featureFlag:
      return .flag(
        ExperimentID(try reader.required("flag").id()), variation: variation,
        rule: try reader.optional("rule")?.id())
    case .experiment:
      return .experiment(
        ExperimentID(try reader.required("experiment").id()), variation: variation)
    default:
      let goal = try reader.optional("goal").map { member throws(ExperimentError) in
        GoalID(try member.id())
      }
      return .likelihoodToConvert(
        goal, try reader.comparison(), try reader.required("value").number())
    }
  }
}

/// The types of conditions in configurations.
enum ConditionType: String, CaseIterable {
  case customDatum = "CUSTOM_DATUM"
  case conversions = "CONVERSIONS"
  case exclusiveCampaign = "EXCLUSIVE_CAMPAIGN"
  case interest = "INTEREST"
  case visits = "VISITS"
  case sameDayVisits = "SAME_DAY_VISITS"
  case newVisitors = "NEW_VISITORS"
  case firstVisit = "FIRST_VISIT"
  case lastVisit = "LAST_VISIT"
  case browser = "BROWSER"
  case operatingSystem = "OPERATING_SYSTEM"
  case applicationVersion = "APPLICATION_VERSION"
  case deviceType = "DEVICE_TYPE"
  case geolocation = "GEOLOCATION"
  case cookie = "COOKIE"
  case pageURL = "PAGE_URL"
  case pageTitle = "PAGE_TITLE"
  case pageViews = "PAGE_VIEWS"
  case previousPage = "PREVIOUS_PAGE"
  case visitorCode = "VISITOR_CODE"
  case segment = "SEGMENT"
  case featureFlag = "FEATURE_FLAG"
  case experiment = "EXPERIMENT"
  case likelihoodToConvert = "LIKELIHOOD_TO_CONVERT"
}

extension SegmentTextTest {
  /// The operators in configurations.
  enum Operator: String, CaseIterable {
    case contains = "CONTAINS"
    case exact = "EXACT"
    case regularExpression = "REGULAR_EXPRESSION"
    case lower = "LOWER"
    case equal = "EQUAL"
    case greater = "GREATER"
    case isTrue = "TRUE"
    case isFalse = "FALSE"
    case among = "AMONG_VALUES"
    case undefined = "UNDEFINED"
  }

  /// Reads `operator` and `value`.
  init(_ reader: ConfigurationReader) throws(ExperimentError) {
    switch try reader.required("operator").word(Operator.self) {
    case .contains: self = .contains(try reader.required("value").scalar())
    case .exact: self = .exact(try reader.required("value").scalar())
    case .regularExpression:
      self = .regularExpression(TextPattern(try reader.required("value").text()))
    case .lower: self = .number(.lower, try reader.required("value").scalar())
    case .equal: self = .number(.equal, try reader.required("value").scalar())
    case .greater: self = .number(.greater, try reader.required("value").scalar())
    case .isTrue: self = .isTrue
    case .isFalse: self = .isFalse
    case .among:
      let values = try reader.required("value").elements()
      self = .among(
        try values.map { value throws(ExperimentError) in try value.scalar() })
    case .undefined: self = .undefined
    }
  }
}

extension ConfigurationReader where Problem == ExperimentError {
  fileprivate func comparison() throws(ExperimentError) -> SegmentComparison {
    try required("operator").word(SegmentComparison.self)
  }

  /// Reads a text, or a number or Boolean as text.
  fileprivate func scalar() throws(ExperimentError) -> String {
    switch value {
    case .string(let text): return text
    case .integer, .number, .boolean: return value.description
    default: throw problem("must be a text or a number, not \(value.kindName)")
    }
  }

  fileprivate func count() throws(ExperimentError) -> Int { Int(clamping: try whole()) }
}

extension Int64 {
  /// The number, clamped so that it has a positive counterpart.
  fileprivate var clamped: Int64 { Swift.max(self, -.max) }
}
