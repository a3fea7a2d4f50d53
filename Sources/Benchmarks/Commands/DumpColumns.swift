import ArgumentParser
import EventLog
import Events
import Tables

/// Writes the events of a log as plain columns that any program can read.
struct DumpColumns: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "columns",
    abstract:
      "Write the columns of a log as files of little-endian numbers, and the names as JSON.",
    discussion: """
      FOLDER, which must be there, gets position.u64, kind.u8 (1 decision, 2 goal, 3 conversion), time.i64 \
      (microseconds since 1970), unit.u32, experiment.u32, variant.u32 and goal.u32 (codes, 0 where there is \
      none), value.f64 and propensity.f64 (NaN where there is none), and names.json with the names by code. \
      Points, slots and statuses are not written, so a log that has them is refused.
      """)

  @Argument(help: "The log.")
  var log: String

  @Argument(help: "The folder.")
  var folder: String

  func run() throws {
    let reader = try LogReader(log)
    let files = try ColumnFiles(folder)
    let columns: EventColumns = [
      .time, .unit, .experiment, .point, .slot, .variant, .status, .goal, .value, .propensity,
    ]
    try reader.forEachBatch(columns) { batch in
      guard isPlain(batch) else {
        throw ValidationError(
          "\(log) has points, slots or statuses, which columns leave out; take a log of journeys")
      }
      try files.append(batch)
    }
    try files.commit(names: LogNames(reader, [.experiments, .variants, .goals]))
  }

  private func isPlain(_ batch: EventBatch) -> Bool {
    batch.points.allSatisfy { $0 == 0 } && batch.slots.allSatisfy { $0 == 0 }
      && batch.statuses.allSatisfy { $0 == 0 }
  }
}

/// The files of the columns, which are renamed when all are written.
private struct ColumnFiles {
  private let folder: String
  private var files: [String: AtomicFile] = [:]

  init(_ folder: String) throws {
    self.folder = folder
    for name in [
      "position.u64", "kind.u8", "time.i64", "unit.u32", "experiment.u32", "variant.u32",
      "goal.u32", "value.f64", "propensity.f64",
    ] {
      files[name] = try AtomicFile(path: "\(folder)/\(name)", force: true)
    }
  }

  func append(_ batch: EventBatch) throws {
    try files["kind.u8"]?.append(batch.kinds)
    try append((0..<UInt64(batch.count)).map { batch.basePosition + $0 }, "position.u64")
    try append(batch.times, "time.i64")
    try append(batch.units, "unit.u32")
    try append(batch.experiments, "experiment.u32")
    try append(batch.variants, "variant.u32")
    try append(batch.goals, "goal.u32")
    try append(bits(batch.values), "value.f64")
    try append(bits(batch.propensities), "propensity.f64")
  }

  private func bits(_ column: NumberColumn) -> [UInt64] {
    var bits = [UInt64](repeating: Double.nan.bitPattern, count: column.present.count)
    column.forEach { bits[$0] = $1.bitPattern }
    return bits
  }

  private func append(_ numbers: [some FixedWidthInteger], _ name: String) throws {
    // Safety: the bytes are copied while the array is borrowed.
    let bytes = unsafe numbers.map(\.littleEndian).withUnsafeBytes { unsafe [UInt8]($0) }
    try files[name]?.append(bytes)
  }

  func commit(names: LogNames) throws {
    for file in files.values { try file.commit() }
    var lists: [JSONObject.Member] = []
    for (key, vocabulary) in [
      ("experiment", Vocabulary.experiments), ("variant", .variants), ("goal", .goals),
    ] {
      let texts = (0..<names.codeLimit(vocabulary)).map { code in
        names.string(code, in: vocabulary).map { JSONValue.string($0) } ?? .null
      }
      lists.append(JSONObject.Member(name: key, value: .array(texts)))
    }
    var bytes: [UInt8] = []
    JSONValue.object(JSONObject(lists)).write(to: &bytes)
    try AtomicFile.write(bytes, to: "\(folder)/names.json", force: true)
  }
}
