public import Events

/// Something known of a visitor, or done by one, that an ``ExperimentClient`` gathers and sends.
///
/// The log carries it as the payloads that it names, so these are all that is known of it after a replay.
public protocol VisitorData: Sendable {
  /// What goes into the log: one event for each payload, in this order.
  var payloads: [Payload] { get }

  /// Refuses what no log could carry.
  ///
  /// - Throws: ``ExperimentError`` that says what is wrong; nothing of the call is kept then.
  func validate() throws(ExperimentError)
}

extension VisitorData {
  /// Refuses nothing.
  public func validate() throws(ExperimentError) {}
}

extension Conversion: VisitorData {
  /// A goal reached.
  ///
  /// - Parameters:
  ///   - goalID: Which goal.
  ///   - revenue: What it earned, finite.
  ///   - negative: Whether it takes an earlier conversion back: its revenue is then taken off.
  ///   - metadata: What else was known of it. Of two entries with the same index the first one holds.
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

  /// Refuses a revenue that is no finite number.
  public func validate() throws(ExperimentError) {
    if let revenue, !revenue.isFinite { throw .invalidRevenue(revenue) }
  }
}

/// A datum of the host's own, told apart by its index or its name.
public struct CustomData: VisitorData, Hashable {
  /// The index as decimal digits, or the name.
  public var key: String
  /// The values; usually one. None takes away what was known.
  public var values: [String]
  /// Whether the values replace those known before (the default) or join them.
  public var overwrites: Bool

  /// A datum of one value.
  public init(index: Int, value: String) {
    self.init(index: index, values: [value])
  }

  /// A datum of one value; another spelling of ``init(index:value:)``.
  public init(id: Int, value: String) {
    self.init(index: id, values: [value])
  }

  /// A datum of several values.
  public init(index: Int, values: [String], overwrites: Bool = true) {
    self.init(name: String(index), values: values, overwrites: overwrites)
  }

  /// A datum that has a name in place of an index.
  public init(name: String, values: [String], overwrites: Bool = true) {
    key = name
    self.values = values
    self.overwrites = overwrites
  }

  /// The kind of data point that replaces the values.
  static let replacing = "custom"
  /// The kind of data point that joins a value to those known.
  static let joining = "customAppended"

  /// One data point for each value. The first of data that overwrite is of kind `custom`, all others are of
  /// kind `customAppended`; one of kind `custom` without a value takes away what was known.
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

/// Something that the visitor is interested in, told apart by its index.
public struct VisitorInterest: VisitorData, Hashable {
  /// Which interest.
  public var index: Int

  /// An interest.
  public init(_ index: Int) {
    self.index = index
  }

  static let kind = "interest"

  /// A data point of kind `interest`, with the index as its key and the value true.
  public var payloads: [Payload] {
    [.dataPoint(DataPoint(kind: Self.kind, key: String(index), value: true))]
  }
}
