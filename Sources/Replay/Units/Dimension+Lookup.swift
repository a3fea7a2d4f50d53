package import EventLog
internal import Specifications

extension Dimension {
  /// Returns a message if no event of a log can have a value of the dimension, with the dimension that was probably
  /// meant.
  ///
  /// - Parameter log: The log; its names and the directories of its frames are read, but no event.
  /// - Returns: A sentence such as `no decision of shop.log has context.contry; did you mean "context.country"?`; nil
  ///   if the dimension may have values, or the log has no events.
  /// - Throws: ``LogError`` if the names cannot be read.
  package func absence(in log: LogReader) throws(LogError) -> String? {
    guard log.eventCount > 0 else { return nil }
    switch self {
    case .policy, .reason, .day: return nil
    case .context(let name): return try Self.absence(ofContext: name, in: log)
    case .data(let kind, let key): return try Self.absence(ofKind: kind, key, in: log)
    }
  }

  private static func absence(
    ofContext name: String, in log: LogReader
  ) throws(LogError) -> String? {
    // Names that are stored in the frames, or that were lost, are only found by a replay.
    guard log.policy == .strict, let codes = log.contextAttributes else { return nil }
    let names = try LogNames(log, [.attributes, .dataKinds])
    if let code = names.code(of: name, in: .attributes), codes.contains(code) { return nil }
    let known = codes.sorted().compactMap { names.string($0, in: .attributes) }
    let start = "no decision of \(log.path) has \(Dimension.context(name))"
    guard names.code(of: name, in: .dataKinds) == nil else {
      return start + "; did you mean \"\(Dimension.data(kind: name, key: nil))\"?"
    }
    return start
      + NearestName.remedy(
        for: Dimension.context(name).description,
        among: known.map { Dimension.context($0).description })
  }

  private static func absence(
    ofKind kind: String, _ key: String?, in log: LogReader
  ) throws(LogError) -> String? {
    guard log.policy == .strict else { return nil }
    let names = try LogNames(log, [.dataKinds, .keys])
    let hasKind = names.code(of: kind, in: .dataKinds) != nil
    let hasKey = key.map { names.code(of: $0, in: .keys) != nil } ?? true
    guard !hasKind || !hasKey else { return nil }
    let kinds = names.texts(.dataKinds)
    let start = "\(log.path) has no data point of \(Dimension.data(kind: kind, key: key))"
    let attribute = kind + (key.map { ".\($0)" } ?? "")
    if let codes = log.contextAttributes,
      try LogNames(log, [.attributes]).code(of: attribute, in: .attributes).map(codes.contains) ?? false
    {
      return start + "; did you mean \"\(Dimension.context(attribute))\"?"
    }
    let nearKind = hasKind ? kind : NearestName.nearest(to: kind, among: kinds)
    guard let nearKind else {
      return start
        + NearestName.remedy(for: "data." + kind, among: kinds.map { "data." + $0 })
    }
    // The names also contain keys without data points, those of configurations.
    let nearKey = key.flatMap {
      hasKey ? $0 : NearestName.nearest(to: $0, among: names.texts(.keys))
    }
    return start + "; did you mean \"\(Dimension.data(kind: nearKind, key: nearKey))\"?"
  }
}
