internal import DecidingCore
internal import Events

/// The accumulated data of a visitor: custom data by key, the latest device, the conversions, ...
///
/// It is a projection of the visitor's conversions and data points; buffered ones are applied in the same
/// way.
struct VisitorKnowledge: Hashable, Sendable, Codable {
  /// The number of conversions of a goal, and their revenue.
  struct ConversionTally: Hashable, Sendable, Codable {
    /// The number of conversions, without negative ones.
    var count = 0
    /// The number of negative conversions.
    var negatives = 0
    /// The revenue, net of negative conversions.
    var revenue = 0.0
  }

  /// The number of views of a page.
  struct PageTally: Hashable, Sendable, Codable {
    var views = 0
    /// The latest title.
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
  /// The pages by URL.
  var pages: [TextKey: PageTally] = [:]
  /// The URL of the page viewed last.
  var currentPage: String?
  /// The URL of the page viewed before that.
  var previousPage: String?
  /// Whether consent was given (true) or refused; nil when it was never set.
  var consent: Bool?
  /// The conversion likelihoods by goal; under the empty text for any goal.
  var likelihoods: [TextKey: Double] = [:]
  /// The groups of variations by experiment, best first.
  var scores: [ExperimentID: [[VariationID]]] = [:]

  /// The kind of data points with the visitor's consent, true or false.
  static let consentKind = "consent"

  /// The kinds of data points that are projected here.
  static let kinds: Set<String> = [
    CustomData.replacing, CustomData.joining, VisitorInterest.kind, VisitorDevice.kind,
    VisitorBrowser.kind, VisitorSystem.kind,
    PageView.kind, VisitorPlace.kind, VisitorCookie.kind, ApplicationVersion.kind,
    UniqueIdentifier.kind,
    consentKind, ConversionLikelihood.kind, VariationScores.kind,
  ]

  /// Applies the payload of an event.
  mutating func apply(_ payload: Payload) {
    switch payload {
    case .conversion(let conversion): apply(conversion)
    case .dataPoint(let datum): apply(datum)
    default: break
    }
  }

  private mutating func apply(_ conversion: Conversion) {
    if conversion.isReversal {
      conversions[conversion.goal, default: ConversionTally()].negatives.increment()
    } else {
      conversions[conversion.goal, default: ConversionTally()].count.increment()
    }
    earn(conversion.signedRevenue ?? 0, conversion.goal)
  }

  /// Adds revenue. A sum that overflows stays at the greatest finite value, so that a snapshot can hold it.
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

  /// Returns a value as text, as targeting reads it.
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
