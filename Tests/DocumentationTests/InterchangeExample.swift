import EventLog
import Events
import Interchange
import Specifications
import TestSupport
import Testing

/// The example of the catalogue of `Interchange`.
@Suite("Example of Interchange")
struct InterchangeExample {
  private let shown = Shown()

  private func print(_ items: Any...) { shown.print(items) }

  struct LogOutput: RecordAppender {
    let writer: LogWriter

    func append(_ record: EventRecord) throws { try writer.append(record) }

    func commit() throws { try writer.commit() }
  }

  @Test("the example runs")
  func example() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(
      #"{"type":"goal","time":1767323161,"unit":"u","experiment":"e","goal":"g"}"# + "\nno event\n",
      "events.jsonl")
    let writer = try LogWriter(folder.path("shop.log"))
    var source = try Importer().open(folder.path("events.jsonl"))
    let session = ImportSession(
      filter: DuplicateFilter(directory: folder.path("shop.log")), onError: .skip)
    try session.run(&source, into: LogOutput(writer: writer))
    print(session.summary.eventsAppended, session.summary.rejected)
    #expect(shown.lines == ["1 1"])
  }

  struct Visits: ImportFormat {
    static let info = SpecificationInfo("visits", "what visitors were shown", source: "our wiki")
    static let recognition = "header with visitor and shown"

    init() {}

    static func match(_ sample: InputSample) -> FormatMatch {
      sample.match(columns: "visitor", "shown")
    }

    func open(_ input: ImportInput) throws(ImportError) -> any RecordSource {
      let experiment = ExperimentID(try input.experimentName())
      return try CSVSource(input.bytes) { (header) throws(ImportError) in
        VisitReader(
          experiment: experiment,
          visitor: try header.column("visitor", remedy: "export it again"),
          shown: try header.column("shown", remedy: "export it again"),
          time: try header.column("time", "at", remedy: "export it again"))
      }
    }
  }

  struct VisitReader: CSVRowReader {
    let experiment: ExperimentID
    let visitor, shown, time: Int

    func read(_ row: CSVReader, into record: inout ImportedRecord) throws(Rejection) {
      guard let time = row.time(time) else {
        throw Rejection(.time, "\"\(row.text(time))\" is not a time")
      }
      let decision = Decision(experiment: experiment, variant: VariantID(row.text(shown)))
      try record.append(
        Event(time: time, unit: UnitID(row.text(visitor)), payload: .decision(decision)))
    }
  }

  @Test("a format of one's own is recognized and imported")
  func ownFormat() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(
      "visitor,shown,at\nu-1,red,2026-01-02T03:04:05Z\nu-2,blue,soon\n", "visits.csv")
    let writer = try LogWriter(folder.path("shop.log"))
    let session = ImportSession(
      filter: DuplicateFilter(directory: folder.path("shop.log")), onError: .skip)
    let formats = FormatCatalog.standard.adding(Visits.self)
    var source = try Importer(formats: formats).open(folder.path("visits.csv"))
    try session.run(&source, into: LogOutput(writer: writer))
    print(session.summary.eventsAppended)
    for (category, count) in session.summary.rejections { print(category.rawValue, count) }
    #expect(shown.lines == ["1", "bad time 1"])
  }
}
