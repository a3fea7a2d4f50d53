import EventLog
import Events
import Tables

/// Writes events of a log as JSON Lines, in blocks.
enum JSONLinesExport {
  static func write(
    _ reader: LogReader, positions: Range<UInt64>, to sink: any ByteSink, mode: ProgressMode
  ) throws {
    guard !positions.isEmpty else { return }
    var line = Progress.onStandardError(
      label: "exporting", total: positions.count, unit: .count("events"), mode: mode)
    var block: [UInt8] = []
    try reader.forEachEvent(in: positions) { record, position in
      JSONLinesEncoder.append(record, to: &block)
      guard block.count >= 1 << 18 else { return }
      try sink.append(block)
      block.removeAll(keepingCapacity: true)
      line.update(done: Int(position - positions.lowerBound))
      try Interrupt.check()
    }
    try sink.append(block)
    line.finish()
  }
}
