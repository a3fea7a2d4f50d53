import EventLog
import Events
import Interchange
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
}
