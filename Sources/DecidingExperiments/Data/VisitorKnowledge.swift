internal import DecidingCore
internal import Events

/// What the data of a visitor add up to: custom data by key, the latest device, the conversions, ...
///
/// It is a projection of the visitor's conversions and data points; those that wait in a buffer are applied in
/// the same way.
struct VisitorKnowledge: Hashable, Sendable, Codable {
  /// How often a goal was reached, and what that earned.
  struct ConversionTally: Hashable, Sendable, Codable {
    /// Conversions, without the negative ones.
    var count = 0
    /// Conversions that took an earlier one back.
    var negatives = 0
    /// The revenue of the former, less that of the latter.
    var revenue = 0.0
  }

  /// How often a page was seen.
  struct PageTally: Hashable, Sendable, Codable {
    var views = 0
    /// The latest title that was given.
    var title: String?
  }

  /// The values of custom data, by index (decimal digits) or name.
  var custom: [TextKey: [String]] = [:]
  /// How often each interest was added, by index.
  var interests: [TextKey: Int] = [:]
  /// The conversions by goal.
  var conversions: [GoalID: ConversionTally] = [:]
  var device: VisitorDevice?
  var browser: VisitorBrowser?
  var system: VisitorSystem?
  var place: VisitorPlace?
  /// Values by name.
  var cookies: [TextKey: String] = [:]
  var applicationVersion: String?
  var uniqueIdentifier: String?
  /// The pages by address.
  var pages: [TextKey: PageTally] = [:]
  /// The address of the page seen last.
  var currentPage: String?
  /// The address of the page seen before that.
  var previousPage: String?
  /// Whether consent was given (true) or refused; nil when it was not asked.
  var consent: Bool?
  /// How likely each goal is, by goal; by the empty text for any.
  var likelihoods: [TextKey: Double] = [:]
  /// Groups of variations by experiment, the best ones first.
  var scores: [ExperimentID: [[VariationID]]] = [:]

  /// The kind of data point that says whether consent is given: its value is true or false.
  static let consentKind = "consent"

  /// The kinds of data point that say something here.
  static let kinds: Set<String> = [
    CustomData.replacing, CustomData.joining, VisitorInterest.kind, VisitorDevice.kind,
    VisitorBrowser.kind, VisitorSystem.kind,
    PageView.kind, VisitorPlace.kind, VisitorCookie.kind, ApplicationVersion.kind,
    UniqueIdentifier.kind,
    consentKind, ConversionLikelihood.kind, VariationScores.kind,
  ]

  /// Takes an event's payload into account.
  mutating func apply(_ payload: Payload) {
    switch payload {
    case .conversion(let conversion): apply(conversion)
    case .dataPoint(let datum): apply(datum)
    default: break
    }
  }

  private mutating func apply(_ conversion: Conversion) {
    let revenue = conversion.revenue ?? 0
    if conversion.negative == true {
      conversions[conversion.goal, default: ConversionTally()].negatives.increment()
      earn(-revenue, conversion.goal)
    } else {
      conversions[conversion.goal, default: ConversionTally()].count.increment()
      earn(revenue, conversion.goal)
    }
  }

  /// A sum beyond every number stays the largest one, so that a snapshot can hold it.
  private mutating func earn(_ revenue: Double, _ goal: GoalID) {
    let before = conversions[goal]?.revenue ?? 0
    conversions[goal, default: ConversionTally()].revenue = (before + revenue).saturated
  }

  private mutating func apply(_ datum: DataPoint) {
    switch (datum.kind, datum.key, datum.value) {
    case (CustomData.replacing, let key?, let value):
      custom[TextKey(key)] = value.map { [Self.text($0)] }
    case (CustomData.joining, let key?, let value?):
      custom[TextKey(key), default: []].append(Self.text(value))
    case (VisitorInterest.kind, let key?, _): interests[TextKey(key), default: 0].increment()
    case (VisitorDevice.kind, _, .text(let name)?): device = VisitorDevice(rawValue: name) ?? device
    case (VisitorBrowser.kind, let name?, let version):
      browser = VisitorBrowser(name, version: version.map(Self.text))
    case (VisitorSystem.kind, let name?, let version):
      system = VisitorSystem(name, version: version.map(Self.text))
    case (PageView.kind, let url?, let title): see(url, title: title.map(Self.text))
    case (VisitorPlace.kind, let part?, let value): locate(part, value)
    case (VisitorCookie.kind, let name?, let value?): cookies[TextKey(name)] = Self.text(value)
    case (ApplicationVersion.kind, _, let version?): applicationVersion = Self.text(version)
    case (UniqueIdentifier.kind, _, let value?): uniqueIdentifier = Self.text(value)
    case (Self.consentKind, _, .flag(let isGiven)?): consent = isGiven
    case (ConversionLikelihood.kind, let goal, .number(let value)?):
      likelihoods[TextKey(goal ?? "")] = value
    case (VariationScores.kind, let experiment?, let value):
      let groups = value.map { VariationScores.groups(Self.text($0)) } ?? []
      scores[ExperimentID(experiment)] = groups.isEmpty ? nil : groups
    default: break
    }
  }

  private mutating func see(_ url: String, title: String?) {
    pages[TextKey(url), default: PageTally()].views.increment()
    if let title { pages[TextKey(url), default: PageTally()].title = title }
    previousPage = currentPage
    currentPage = url
  }

  private mutating func locate(_ part: String, _ value: AttributeValue?) {
    if part == "country" { place = VisitorPlace() }
    switch (part, value) {
    case ("country", .text(let text)?): place?.country = text
    case ("region", .text(let text)?): place?.region = text
    case ("city", .text(let text)?): place?.city = text
    case ("postalCode", .text(let text)?): place?.postalCode = text
    case ("latitude", .number(let number)?): place?.latitude = number
    case ("longitude", .number(let number)?): place?.longitude = number
    default: break
    }
  }

  /// A value as targeting reads it: a text.
  private static func text(_ value: AttributeValue) -> String {
    switch value {
    case .text(let text): text
    case .flag(let flag): flag ? "true" : "false"
    case .integer(let integer): String(integer)
    case .number(let number):
      Int64(exactly: number).map { String($0) } ?? "\(number)"
    }
  }
}
