public import Events

/// The sort of device that the visitor uses; the latest one holds.
public enum VisitorDevice: String, VisitorData, Hashable, CaseIterable, Codable {
  /// A telephone.
  case phone
  /// A tablet.
  case tablet
  /// A computer on a desk or a lap.
  case desktop

  static let kind = "device"

  /// A data point of kind `device`.
  public var payloads: [Payload] {
    [.dataPoint(DataPoint(kind: Self.kind, value: .text(rawValue)))]
  }
}

/// The browser that the visitor uses; the latest one holds.
public struct VisitorBrowser: VisitorData, Hashable, Codable {
  /// Its name, such as `firefox`.
  public var name: String
  /// Its version, such as `144.0`; nil when unknown.
  public var version: String?

  /// A browser.
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

/// The operating system that the visitor uses; the latest one holds.
public struct VisitorSystem: VisitorData, Hashable, Codable {
  /// Its name, such as `linux`.
  public var name: String
  /// Its version; nil when unknown.
  public var version: String?

  /// An operating system.
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

/// A page that the visitor looked at. Views are counted for each address.
public struct PageView: VisitorData, Hashable {
  /// The page's address.
  public var url: String
  /// The page's title; nil when unknown.
  public var title: String?

  /// A view of a page.
  public init(_ url: String, title: String? = nil) {
    self.url = url
    self.title = title
  }

  static let kind = "pageView"

  /// A data point of kind `pageView`, with the address as its key and the title as its value.
  public var payloads: [Payload] {
    [.dataPoint(DataPoint(kind: Self.kind, key: url, value: title.map { .text($0) }))]
  }
}

/// Where the visitor is; the latest place holds as a whole.
public struct VisitorPlace: VisitorData, Hashable, Codable {
  /// The country, such as `FR`; nil when unknown, as everything else.
  public var country: String?
  /// The region within the country.
  public var region: String?
  /// The city.
  public var city: String?
  /// The postal code.
  public var postalCode: String?
  /// Degrees north.
  public var latitude: Double?
  /// Degrees east.
  public var longitude: Double?

  /// A place of which only the given parts are known.
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
  /// value when that is unknown: it begins a new place.
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

/// What the visitor's cookies hold; the latest value of each name holds.
public struct VisitorCookie: VisitorData, Hashable {
  /// The values by name.
  public var values: [String: String]

  /// Cookies.
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

/// The version of the app that the visitor uses; the latest one holds.
public struct ApplicationVersion: VisitorData, Hashable {
  /// The version, such as `1.10.2`.
  public var version: String

  /// A version of the app.
  public init(_ version: String) {
    self.version = version
  }

  static let kind = "applicationVersion"

  /// A data point of kind `applicationVersion`.
  public var payloads: [Payload] {
    [.dataPoint(DataPoint(kind: Self.kind, value: .text(version)))]
  }
}

/// The identifier that the visitor has on every device, such as that of an account; the latest one holds.
/// Where a flag is hashed it stands for the user id.
public struct UniqueIdentifier: VisitorData, Hashable {
  /// The identifier.
  public var value: String

  /// An identifier.
  public init(_ value: String) {
    self.value = value
  }

  static let kind = "uniqueIdentifier"

  /// A data point of kind `uniqueIdentifier`.
  public var payloads: [Payload] {
    [.dataPoint(DataPoint(kind: Self.kind, value: .text(value)))]
  }
}
