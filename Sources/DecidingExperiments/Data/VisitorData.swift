public import Events

/// A fact about a visitor, or an action of one, that an ``ExperimentClient`` collects and sends.
///
/// It is logged as its payloads, so nothing else of it survives a replay.
public protocol VisitorData: Sendable {
  /// The payloads to log: one event for each, in this order.
  var payloads: [Payload] { get }

  /// Checks that the data can be logged.
  ///
  /// - Throws: ``ExperimentError`` with the problem; nothing of the call is kept then.
  func validate() throws(ExperimentError)
}

extension VisitorData {
  /// Accepts everything.
  public func validate() throws(ExperimentError) {}
}

extension Conversion: VisitorData {
  /// Creates a conversion.
  ///
  /// - Parameters:
  ///   - goalID: The goal that was reached.
  ///   - revenue: The revenue, finite.
  ///   - negative: Whether it reverses an earlier conversion: its revenue is then subtracted.
  ///   - metadata: Custom data. Of two entries with the same index the first one applies.
  public init(
    goalID: GoalID, revenue: Double = 0, negative: Bool = false, metadata: [CustomData] = []
  ) {
    var attributes = Attributes()
    for entry in metadata where attributes[entry.key] == nil {
      attributes[entry.key] = .text(entry.values.first ?? "")
    }
    self.init(
      goal: goalID, revenue: revenue, negative: negative,
      metadata: metadata.isEmpty ? nil : attributes)
  }

  /// The conversion itself.
  public var payloads: [Payload] { [.conversion(self)] }

  /// Rejects a revenue that is not finite.
  public func validate() throws(ExperimentError) {
    if let revenue, !revenue.isFinite { throw .invalidRevenue(revenue) }
  }
}

/// A custom datum of the app, identified by its index or name.
public struct CustomData: VisitorData, Hashable {
  /// The index as decimal digits, or the name.
  public var key: String
  /// The values; usually one. An empty list removes the known ones.
  public var values: [String]
  /// Whether the values replace the known ones (the default) or are appended to them.
  public var overwrites: Bool

  /// Creates a datum with one value.
  public init(index: Int, value: String) {
    self.init(index: index, values: [value])
  }

  /// Creates a datum with one value; equivalent to ``init(index:value:)``.
  public init(id: Int, value: String) {
    self.init(index: id, values: [value])
  }

  /// Creates a datum with several values.
  public init(index: Int, values: [String], overwrites: Bool = true) {
    self.init(name: String(index), values: values, overwrites: overwrites)
  }

  /// Creates a datum with a name instead of an index.
  public init(name: String, values: [String], overwrites: Bool = true) {
    key = name
    self.values = values
    self.overwrites = overwrites
  }

  /// The kind of data points that replace the values.
  static let replacing = "custom"
  /// The kind of data points that append a value.
  static let joining = "customAppended"

  /// One data point for each value. The first one of overwriting data is of kind `custom`, all others are of
  /// kind `customAppended`; one of kind `custom` without a value removes the known values.
  public var payloads: [Payload] {
    guard !values.isEmpty || !overwrites else {
      return [.dataPoint(DataPoint(kind: Self.replacing, key: key))]
    }
    return values.enumerated().map { index, value in
      let kind = overwrites && index == 0 ? Self.replacing : Self.joining
      return .dataPoint(DataPoint(kind: kind, key: key, value: .text(value)))
    }
  }
}

/// An interest of the visitor, identified by its index.
public struct VisitorInterest: VisitorData, Hashable {
  /// The index of the interest.
  public var index: Int

  /// Creates an interest.
  public init(_ index: Int) {
    self.index = index
  }

  static let kind = "interest"

  /// A data point of kind `interest`, with the index as its key and the value true.
  public var payloads: [Payload] {
    [.dataPoint(DataPoint(kind: Self.kind, key: String(index), value: true))]
  }
}
