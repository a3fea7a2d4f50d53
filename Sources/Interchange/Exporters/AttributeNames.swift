public import Events

/// The names of the attributes that occur in a log, which become columns of tables.
public struct AttributeNames: Sendable {
  private var contextNames: Set<[UInt8]> = []
  private var metadataNames: [EventKind: Set<[UInt8]>] = [:]
  private var featureNames: Set<[[UInt8]]> = []
  /// The number of choices of the first decision that has any; nil if there is none.
  public private(set) var choiceCount: Int?

  /// Creates an empty collection.
  public init() {}

  /// Adds the names of an event.
  ///
  /// - Complexity: O(attributes).
  public mutating func add(_ event: EventRecord) {
    if choiceCount == nil, event.hasChoices, !event.choices.isEmpty {
      choiceCount = event.choices.count
    }
    for attribute in event.context { contextNames.insert(Array(event.bytes[attribute.name.range])) }
    for attribute in event.metadata {
      metadataNames[event.kind, default: []].insert(Array(event.bytes[attribute.name.range]))
    }
    var start = 0
    for group in event.featureGroups {
      let variant = Array(event.bytes[group.variant.range])
      for attribute in event.features[start..<start + group.count] {
        featureNames.insert([variant, Array(event.bytes[attribute.name.range])])
      }
      start += group.count
    }
  }

  /// The names in contexts, sorted bytewise.
  public var context: [String] { Self.sorted(contextNames) }

  /// The names in the metadata of a kind, sorted bytewise.
  public func metadata(of kind: EventKind) -> [String] { Self.sorted(metadataNames[kind] ?? []) }

  /// The variants with features and the names of these, sorted bytewise.
  public var features: [(variant: String, name: String)] {
    featureNames.sorted { a, b in
      a[0] == b[0] ? a[1].lexicographicallyPrecedes(b[1]) : a[0].lexicographicallyPrecedes(b[0])
    }.map { (variant: Self.text($0[0]), name: Self.text($0[1])) }
  }

  private static func sorted(_ names: Set<[UInt8]>) -> [String] {
    names.sorted { $0.lexicographicallyPrecedes($1) }.map(text)
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
