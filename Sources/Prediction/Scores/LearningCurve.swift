internal import Specifications
internal import Statistics

/// A point of a learning curve: the scores of one bin.
public struct LearningPoint: Sendable, Equatable {
  /// The lower bound: earlier takes of the unit, or microseconds since 1970-01-01T00:00:00Z.
  public var low: Int64
  /// The upper bound, inclusive for takes, exclusive for times; nil for the unbounded last bin by history.
  public var high: Int64?
  /// The number of predicted takes.
  public var events: Int { cell.events }
  /// The number of takes whose option was predicted first.
  public var hits: Int { cell.hits }
  /// The share of hits; nil without events.
  public var hitRate: Double? { events > 0 ? Double(hits) / Double(events) : nil }
  /// The mean log loss in nats; nil without events.
  public var logLoss: Double? { events > 0 ? cell.loss.value / Double(events) : nil }
  /// The mean Brier score; nil without events.
  public var brier: Double? { events > 0 ? cell.brier.value / Double(events) : nil }

  var cell: CurveCell
}

/// The sums of a point of a learning curve: 48 bytes, exact and independent of order.
struct CurveCell: StateFields, Equatable {
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

  /// A cell without events takes one byte.
  mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&events, other.events)
    guard events > 0 || other.events > 0 else { return }
    visit(&hits, other.hits)
    visit(&loss, other.loss)
    visit(&brier, other.brier)
  }
}

/// The quality of predictions over time or over the histories of units.
public struct LearningCurve: Sendable, Equatable {
  /// The points, ascending and without gaps, including those without events.
  public var points: [LearningPoint]

  init(_ points: [LearningPoint]) { self.points = points }

  /// The curve whose points cover everything up to their upper bound.
  public var cumulative: LearningCurve { rolling(points.count) }

  /// Returns the rolling curve whose points cover a window of points up to their upper bound.
  ///
  /// - Parameter window: The number of points in a window; less than one counts as one.
  /// - Returns: As many points, each with the lower bound of the first one in its window.
  /// - Complexity: O(points).
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
