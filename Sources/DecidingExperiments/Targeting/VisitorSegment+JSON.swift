internal import DecidingCore
public import Events

extension VisitorSegment {
  /// Reads a segment: `{"groups":[{"conditions":[…],"connectives":["OR"]}],"connectives":["AND"],
  /// "precedence":"usual"}`. Missing connectives are AND.
  ///
  /// - Throws: ``ExperimentError/invalidConfiguration(path:reason:)`` with the path of the invalid member. A
  ///   condition on another segment is rejected: segment ids are only known in a configuration.
  public init(_ json: JSONValue) throws(ExperimentError) {
    var segments = SegmentReader()
    self = try segments.read(ConfigurationReader(json).object())
  }

  /// The segment as configured.
  public var json: JSONValue {
    var members: JSONObject = ["groups": .array(groups.map(\.json))]
    if !connectives.isEmpty { members["connectives"] = Self.connectives.write(connectives) }
    if precedence != .usual { members["precedence"] = .string(precedence.rawValue) }
    return .object(members)
  }

  fileprivate static let connectives = ConfigurationKind<[SegmentConnective]>.list(of: .word)
}

extension VisitorSegment.Group {
  fileprivate var json: JSONValue {
    var members: JSONObject = ["conditions": .array(conditions.map(\.json))]
    if !connectives.isEmpty { members["connectives"] = VisitorSegment.connectives.write(connectives) }
    return .object(members)
  }
}

/// A reader of segments that can refer to each other by id.
struct SegmentReader {
  /// The maximum depth of references between segments.
  static let deepest = 16
  /// The maximum number of conditions of a segment, including those of the segments that it refers to.
  static let largest = 10_000

  private var sources: [TextKey: ConfigurationReader] = [:]
  private var known: [TextKey: (segment: VisitorSegment, size: Int)] = [:]
  private var underway: [TextKey] = []
  private var size = 0

  /// Creates a reader that knows no segment ids.
  init() {}

  /// Creates a reader from a list of segments, each with an `id`.
  init(_ list: [ConfigurationReader]) throws(ExperimentError) {
    for source in list {
      let id = try source.required("id")
      guard sources.updateValue(source, forKey: TextKey(try id.id())) == nil else {
        throw id.problem("is \"\(try id.id())\" for the second time; ids are unique")
      }
    }
    for source in list { _ = try segment(source.required("id")) }
  }

  /// Reads a segment given inline or by its id.
  mutating func targeting(_ member: ConfigurationReader) throws(ExperimentError)
    -> VisitorSegment
  {
    size = 0
    if case .object = member.value { return try read(member.object()) }
    return try segment(member)
  }

  /// Reads a reference to a segment by its id.
  mutating func segment(_ member: ConfigurationReader) throws(ExperimentError)
    -> VisitorSegment
  {
    let id = TextKey(try member.id())
    if let known = known[id] {
      size += known.size
      return known.segment
    }
    guard let source = sources[id] else {
      throw member.problem("names the segment \"\(id)\", which is not there; add it to segments")
    }
    guard !underway.contains(id) else {
      throw member.problem("leads back to the segment \"\(id)\" itself; break the circle")
    }
    guard underway.count < Self.deepest else {
      throw member.problem("is the \(Self.deepest)th segment in a row; let fewer ask for others")
    }
    underway.append(id)
    let outside = size
    size = 0
    let segment = try read(source)
    known[id] = (segment, size)
    size += outside
    underway.removeLast()
    return segment
  }

  /// Reads a segment.
  mutating func read(_ reader: ConfigurationReader) throws(ExperimentError) -> VisitorSegment {
    let precedence = try reader.optional("precedence")?.word(SegmentPrecedence.self) ?? .usual
    var groups: [VisitorSegment.Group] = []
    for group in try reader.objects("groups") {
      var conditions: [SegmentCondition] = []
      for condition in try group.objects("conditions") {
        conditions.append(try SegmentCondition(condition, segments: &self))
        size += 1
        guard size <= Self.largest else {
          throw .invalidConfiguration(
            path: condition.path,
            reason: "is one of more than \(Self.largest) conditions, those of named segments "
              + "included; use fewer")
        }
      }
      let connectives = try Self.connectives(group, between: conditions.count, "conditions")
      groups.append(VisitorSegment.Group(conditions, joinedBy: connectives))
    }
    let connectives = try Self.connectives(reader, between: groups.count, "groups")
    return VisitorSegment(groups, joinedBy: connectives, precedence: precedence)
  }

  private static func connectives(
    _ reader: ConfigurationReader, between count: Int, _ name: String
  ) throws(ExperimentError) -> [SegmentConnective] {
    guard let member = reader.optional("connectives") else { return [] }
    let connectives = try VisitorSegment.connectives.read(member)
    guard connectives.count == max(0, count - 1) else {
      throw member.problem(
        "has \(connectives.count) connectives for \(count) \(name); give one between every two, or none "
          + "for AND everywhere")
    }
    return connectives
  }
}
