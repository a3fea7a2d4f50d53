public import Events

/// The events of a record, by their index in it; behind them, others that are left from earlier records.
///
/// While a batch is read, the events of its earlier records stand before them in the same array, so that none is moved
/// once it was read.
public struct RecordEvents: RandomAccessCollection, MutableCollection, Sendable {
  /// The events of the records before, and those of the record.
  var all: [EventRecord] = []
  /// The index of the record's first event among all.
  var first = 0

  public var startIndex: Int { 0 }

  public var endIndex: Int { all.count - first }

  public subscript(index: Int) -> EventRecord {
    @inline(__always) _read { yield all[first + index] }
    @inline(__always) _modify { yield &all[first + index] }
  }
}
