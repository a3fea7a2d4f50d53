internal import DecidingAgents
internal import DecidingCore
internal import DecidingExperiments
internal import Events

/// The context of an evaluation: whom a flag is evaluated for.
struct FlagContext: Sendable {
  /// The targeting key: the user, or the session of an agent.
  private(set) var targetingKey = ""
  /// The variable whose value is asked for; nil for the usual one.
  private(set) var variableKey: String?
  /// The point of an agent; nil for the usual one.
  private(set) var point: String?
  /// Whether the evaluation of all flags counts as an exposure of each.
  private(set) var isExposure = false
  /// All other members.
  private(set) var attributes: JSONObject = [:]

  /// The members.
  static let table = WireTable(
    FlagContext(), others: .kept(\.attributes),
    [
      .field(
        "targetingKey", \.targetingKey,
        .text(["type": "string", "minLength": 1])
          .described("The id of the user, or the session of an agent")),
      .optional(
        "variableKey", \.variableKey,
        .text.described("The variable, or the slot of an agent, whose value is returned")),
      .optional("point", \.point, .text.described("The point of an agent")),
      .field(
        "exposure", \.isExposure,
        .flag.described("Whether the evaluation of all flags counts as an exposure of each")),
    ])

  private init() {}

  /// Reads the body `{"context":{"targetingKey":"u-1",…}}`.
  init(_ body: [UInt8]) throws(FlagProblem) {
    let json: JSONValue
    do {
      json = body.isEmpty ? [:] : try JSONValue(parsing: body)
    } catch {
      throw FlagProblem(.parseError, "the body is not JSON: \(error)")
    }
    guard json.object != nil else {
      throw FlagProblem(
        .parseError, #"the body is \#(json.kindName); send an object such as {"context":{}}"#)
    }
    do throws(WireProblem) {
      self = try WireReader(json).optional("context").map(Self.table.read) ?? FlagContext()
    } catch {
      throw FlagProblem(.invalidContext, "\(error.path) \(error.reason)")
    }
    guard !targetingKey.isEmpty else {
      throw FlagProblem(
        .targetingKeyMissing,
        "the context has no targetingKey; give it the id of the user or session")
    }
  }

  /// The attribute of a name as text; nil if there is none.
  func text(_ name: String) -> String? { attributes[name]?.string }
}

// MARK: - What the systems read

extension FlagContext {
  /// The attributes as data of a visitor, for the targeting of experiments and flags: each as custom data of its name,
  /// and those that targeting knows by themselves too.
  var visitorData: [any VisitorData] {
    var data: [any VisitorData] = []
    for member in attributes.members {
      let values = (member.value.array ?? [member.value]).compactMap(Self.scalar)
      if !values.isEmpty { data.append(CustomData(name: member.name, values: values)) }
    }
    if let device = text("device").flatMap(VisitorDevice.init) { data.append(device) }
    if let name = text("browser") {
      data.append(VisitorBrowser(name, version: text("browserVersion")))
    }
    if let name = text("os") { data.append(VisitorSystem(name, version: text("osVersion"))) }
    if let version = text("applicationVersion") { data.append(ApplicationVersion(version)) }
    if let url = text("url") { data.append(PageView(url, title: text("title"))) }
    let place = VisitorPlace(
      country: text("country"), region: text("region"), city: text("city"),
      postalCode: text("postalCode"), latitude: attributes["latitude"]?.number,
      longitude: attributes["longitude"]?.number)
    if place != VisitorPlace() { data.append(place) }
    return data
  }

  /// The languages and the country, for the filters of rollouts; nil if the context has neither.
  var locale: UserLocale? {
    let languages =
      attributes["languages"]?.array?.compactMap(\.string)
      ?? (text("language") ?? text("locale")).map { [$0] } ?? []
    let country = text("country")
    return languages.isEmpty && country == nil
      ? nil : UserLocale(languages: languages, region: country)
  }

  private static func scalar(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .boolean(let flag): flag ? "true" : "false"
    case .integer(let integer): String(integer)
    case .number(let number): number.description
    case .null, .array, .object: nil
    }
  }
}
