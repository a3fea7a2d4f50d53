internal import Statistics

/// A stretch of a learning curve.
public struct LearningPoint: Sendable, Equatable {
  /// Where it begins: takes that a unit had before, or microseconds since 1970-01-01T00:00:00Z.
  public var low: Int64
  /// Where it ends, inclusive for takes, exclusive for times; nil for the open end of a curve by history.
  public var high: Int64?
  /// Takes that were predicted.
  public var events: Int { cell.events }
  /// Those of them whose option was predicted first.
  public var hits: Int { cell.hits }
  /// The share of hits; nil without events.
  public var hitRate: Double? { events > 0 ? Double(hits) / Double(events) : nil }
  /// The mean log loss in nats; nil without events.
  public var logLoss: Double? { events > 0 ? cell.loss.value / Double(events) : nil }
  /// The mean Brier score; nil without events.
  public var brier: Double? { events > 0 ? cell.brier.value / Double(events) : nil }

  var cell: CurveCell

  /// Whether both cover the same and have the same sums.
  public static func == (a: LearningPoint, b: LearningPoint) -> Bool {
    a.low == b.low && a.high == b.high && a.cell == b.cell
  }
}

/// What a stretch of a learning curve adds up to: 48 bytes, exact and free of order.
struct CurveCell: Sendable, Equatable {
  var events = 0
  var hits = 0
  var loss = FixedPointSum()
  var brier = FixedPointSum()

  @inline(__always)
  mutating func add(isHit: Bool, loss: Int128, brier: Int128) {
    events &+= 1
    hits &+= isHit ? 1 : 0
    self.loss.add(loss)
    self.brier.add(brier)
  }

  mutating func merge(_ other: CurveCell) {
    events += other.events
    hits += other.hits
    loss.merge(other.loss)
    brier.merge(other.brier)
  }

  mutating func subtract(_ other: CurveCell) {
    events -= other.events
    hits -= other.hits
    loss.add(-other.loss.steps)
    brier.add(-other.brier.steps)
  }
}

/// How well takes were predicted along the time or along the histories of units.
public struct LearningCurve: Sendable, Equatable {
  /// The stretches, ascending and without gaps between them; those without events are there too.
  public var points: [LearningPoint]

  init(_ points: [LearningPoint]) { self.points = points }

  /// All that was predicted up to the end of each stretch.
  public var cumulative: LearningCurve { rolling(points.count) }

  /// What was predicted in each stretch and in those before it, so many in all.
  ///
  /// - Parameter window: How many stretches; fewer than one count as one.
  /// - Returns: As many stretches, each from the beginning of the first one in its window.
  /// - Complexity: O(stretches).
  public func rolling(_ window: Int) -> LearningCurve {
    var sum = CurveCell()
    let window = max(1, window)
    let rolled = points.indices.map { place in
      sum.merge(points[place].cell)
      if place >= window { sum.subtract(points[place - window].cell) }
      return LearningPoint(
        low: points[max(0, place - window + 1)].low, high: points[place].high, cell: sum)
    }
    return LearningCurve(rolled)
  }
}
