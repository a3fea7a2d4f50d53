internal import Synchronization

/// How a reader handles damage to durable data.
public enum DamagePolicy: String, CaseIterable, Sendable {
  /// Throws an error that names the file, the offset and the events.
  case strict
  /// Skips what is lost, and lists it in ``LogReader/losses``.
  case skip
}

/// A damaged part of a log, and the events that are lost by it.
public struct LogLoss: Hashable, Sendable, CustomStringConvertible {
  /// The file; the folder of the log for a file that is missing.
  public var path: String
  /// The offset in the file.
  public var offset: UInt64
  /// The column of the frame at that offset; nil if whole frames or segments are affected.
  public var column: String?
  /// The positions of the events that are lost, or that the column belongs to; empty if there are none.
  public var positions: Range<UInt64>
  /// A description of the damage.
  public var reason: String

  /// `FILE, byte N: column X, events A to B (reason)`.
  public var description: String {
    var parts: [String] = []
    if let column { parts.append("column \(column)") }
    if positions.isEmpty {
      parts.append("no event")
    } else {
      parts.append("events \(positions.lowerBound) to \(positions.upperBound - 1)")
    }
    return "\(path), byte \(offset): \(parts.joined(separator: ", ")) (\(reason))"
  }
}

/// The losses that a reader has found so far. Repeated losses are ignored and adjacent ones merged, so the list does
/// not depend on how often or in which order the log is read.
final class LossLedger: Sendable {
  private struct Place: Hashable {
    var path: String
    var offset: UInt64
    var column: String?
    var reason: String
  }

  private struct Entry {
    /// The sort position of a loss without lost positions.
    var anchor: UInt64
    var positions: RangeSet<UInt64>
  }

  private let entries = Mutex<[Place: Entry]>([:])

  func add(_ loss: LogLoss) {
    let place = Place(
      path: loss.path, offset: loss.offset, column: loss.column, reason: loss.reason)
    entries.withLock { entries in
      entries[place, default: Entry(anchor: loss.positions.lowerBound, positions: RangeSet())]
        .positions.insert(contentsOf: loss.positions)
    }
  }

  /// The losses in the order of positions, then of locations.
  var losses: [LogLoss] {
    let found = entries.withLock { entries in
      entries.flatMap { place, entry in
        let ranges =
          entry.positions.isEmpty
          ? [entry.anchor..<entry.anchor] : Array(entry.positions.ranges)
        return ranges.map {
          LogLoss(
            path: place.path, offset: place.offset, column: place.column, positions: $0,
            reason: place.reason)
        }
      }
    }
    return found.sorted { Self.precedes($0, $1) }
  }

  /// The positions with any loss.
  var positions: RangeSet<UInt64> {
    entries.withLock { entries in
      var all = RangeSet<UInt64>()
      for entry in entries.values { all.formUnion(entry.positions) }
      return all
    }
  }

  private static func precedes(_ a: LogLoss, _ b: LogLoss) -> Bool {
    if a.positions.lowerBound != b.positions.lowerBound {
      return a.positions.lowerBound < b.positions.lowerBound
    }
    if a.path != b.path { return a.path.utf8.lexicographicallyPrecedes(b.path.utf8) }
    if a.offset != b.offset { return a.offset < b.offset }
    if a.column != b.column {
      return (a.column ?? "").utf8.lexicographicallyPrecedes((b.column ?? "").utf8)
    }
    if a.reason != b.reason { return a.reason.utf8.lexicographicallyPrecedes(b.reason.utf8) }
    return a.positions.upperBound < b.positions.upperBound
  }
}
