public import Events

/// The visitor's device type. The latest value applies.
public enum VisitorDevice: String, VisitorData, Hashable, CaseIterable, Codable {
  /// A phone.
  case phone
  /// A tablet.
  case tablet
  /// A desktop or laptop computer.
  case desktop

  static let kind = "device"

  /// A data point of kind `device`.
  public var payloads: [Payload] {
    [.dataPoint(DataPoint(kind: Self.kind, value: .text(rawValue)))]
  }
}

/// The visitor's browser. The latest value applies.
public struct VisitorBrowser: VisitorData, Hashable, Codable {
  /// The name of the browser, such as `firefox`.
  public var name: String
  /// The version, such as `144.0`; nil when unknown.
  public var version: String?

  /// Creates a browser.
  public init(_ name: String, version: String? = nil) {
    self.name = name
    self.version = version
  }

  static let kind = "browser"

  /// A data point of kind `browser`, with the name as its key and the version as its value.
  public var payloads: [Payload] {
    [.dataPoint(DataPoint(kind: Self.kind, key: name, value: version.map { .text($0) }))]
  }
}

/// The visitor's operating system. The latest value applies.
public struct VisitorSystem: VisitorData, Hashable, Codable {
  /// The name of the operating system, such as `linux`.
  public var name: String
  /// The version; nil when unknown.
  public var version: String?

  /// Creates an operating system.
  public init(_ name: String, version: String? = nil) {
    self.name = name
    self.version = version
  }

  static let kind = "system"

  /// A data point of kind `system`, with the name as its key and the version as its value.
  public var payloads: [Payload] {
    [.dataPoint(DataPoint(kind: Self.kind, key: name, value: version.map { .text($0) }))]
  }
}

/// A page view. Views are counted by URL.
public struct PageView: VisitorData, Hashable {
  /// The URL of the page.
  public var url: String
  /// The title of the page; nil when unknown.
  public var title: String?

  /// Creates a page view.
  public init(_ url: String, title: String? = nil) {
    self.url = url
    self.title = title
  }

  static let kind = "pageView"

  /// A data point of kind `pageView`, with the URL as its key and the title as its value.
  public var payloads: [Payload] {
    [.dataPoint(DataPoint(kind: Self.kind, key: url, value: title.map { .text($0) }))]
  }
}

/// The visitor's location. The latest value applies as a whole.
public struct VisitorPlace: VisitorData, Hashable, Codable {
  /// The country, such as `FR`; nil when unknown, as all other parts.
  public var country: String?
  /// The region within the country.
  public var region: String?
  /// The city.
  public var city: String?
  /// The postal code.
  public var postalCode: String?
  /// The latitude in degrees north.
  public var latitude: Double?
  /// The longitude in degrees east.
  public var longitude: Double?

  /// Creates a location from its known parts.
  public init(
    country: String? = nil, region: String? = nil, city: String? = nil, postalCode: String? = nil,
    latitude: Double? = nil, longitude: Double? = nil
  ) {
    self.country = country
    self.region = region
    self.city = city
    self.postalCode = postalCode
    self.latitude = latitude
    self.longitude = longitude
  }

  static let kind = "place"

  /// Data points of kind `place`, one for each known part. The first one is always the country, without a
  /// value when that is unknown: it starts a new location.
  public var payloads: [Payload] {
    var parts: [(String, AttributeValue?)] = [("country", country.map { .text($0) })]
    for (key, text) in [("region", region), ("city", city), ("postalCode", postalCode)] {
      if let text { parts.append((key, .text(text))) }
    }
    for (key, number) in [("latitude", latitude), ("longitude", longitude)] {
      if let number, number.isFinite { parts.append((key, .number(number))) }
    }
    return parts.map { .dataPoint(DataPoint(kind: Self.kind, key: $0.0, value: $0.1)) }
  }
}

/// The visitor's cookies. The latest value of each name applies.
public struct VisitorCookie: VisitorData, Hashable {
  /// The values by name.
  public var values: [String: String]

  /// Creates cookies from their values by name.
  public init(_ values: [String: String]) {
    self.values = values
  }

  static let kind = "cookie"

  /// Data points of kind `cookie`, in ascending order of the names.
  public var payloads: [Payload] {
    values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { .dataPoint(DataPoint(kind: Self.kind, key: $0.key, value: .text($0.value))) }
  }
}

/// The version of the app that the visitor uses. The latest value applies.
public struct ApplicationVersion: VisitorData, Hashable {
  /// The version, such as `1.10.2`.
  public var version: String

  /// Creates an app version.
  public init(_ version: String) {
    self.version = version
  }

  static let kind = "applicationVersion"

  /// A data point of kind `applicationVersion`.
  public var payloads: [Payload] {
    [.dataPoint(DataPoint(kind: Self.kind, value: .text(version)))]
  }
}

/// The identifier of the visitor across devices, such as an account id. The latest value applies. Flags hash
/// it in place of the user id.
public struct UniqueIdentifier: VisitorData, Hashable {
  /// The identifier.
  public var value: String

  /// Creates an identifier.
  public init(_ value: String) {
    self.value = value
  }

  static let kind = "uniqueIdentifier"

  /// A data point of kind `uniqueIdentifier`.
  public var payloads: [Payload] {
    [.dataPoint(DataPoint(kind: Self.kind, value: .text(value)))]
  }
}
