import EventLog
import Events
import Interchange
import Specifications
import TestSupport
import Testing

/// A format of another package, which sees the public interface only.
@Suite("An import format of one's own")
struct AdopterImportTests {
  private let formats = FormatCatalog.standard.adding(VisitLog.self)

  private let visits = """
    visitor,shown,bought,at
    u-1,red,,2026-01-02T03:04:05Z
    u-2,"dark, blue",12.5,1767323161
    u-3,red,,yesterday
    ,red,,2026-01-02T03:04:05Z
    u-4,red

    """

  private struct Output: RecordAppender {
    let writer: LogWriter

    func append(_ record: EventRecord) throws { try writer.append(record) }

    func commit() throws { try writer.commit() }
  }

  @Test("it is recognized by the content, imported to a log, and its rejected records are counted")
  func imported() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Gzip.member(Array(visits.utf8)), "spring.csv.gz")
    let log = folder.path("shop.log")
    let writer = try LogWriter(log)
    var rejects = ""
    for _ in 0..<2 {
      let filter = DuplicateFilter(directory: log)
      try LogReader(log).forEachEvent { record, _ in try filter.addKnown(record) }
      let session = ImportSession(
        filter: filter, onError: .skip,
        rejects: RejectsWriter { rejects += String(decoding: $0, as: UTF8.self) })
      var source = try Importer(Specification("auto"), formats: formats).open(path)
      try session.run(&source, into: Output(writer: writer))
      let summary = session.summary
      #expect(summary.eventsAppended + summary.alreadyThere == 3)
      #expect(
        summary.rejections.map { "\($0.category.rawValue): \($0.count)" }
          == ["bad time: 1", "missing unit: 1", "wrong column count: 1"])
    }
    #expect(rejects.contains("the time is \"\"yesterday\"\" and must be ISO 8601"))
    var events: [Event] = []
    try LogReader(log).forEachEvent { record, _ in events.append(try Event(record)) }
    let first = Decision(experiment: "spring", variant: "red")
    let second = Decision(experiment: "spring", variant: "dark, blue")
    let order = Goal(experiment: "spring", goal: "order", value: 12.5)
    #expect(events.map(\.payload) == [.decision(first), .decision(second), .goal(order)])
    #expect(events.map(\.unit) == ["u-1", "u-2", "u-2"])
  }

  @Test("it is named with its parameters, listed, and told from other formats")
  func named() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(visits, "visits.csv")
    let format = try formats.named("visits:goal=sale")
    var source = try Importer(format: format, experiment: "e").open(path)
    var record = ImportedRecord()
    for _ in 0..<2 { _ = try source.next(&record) }
    let goal = Goal(experiment: "e", goal: "sale", value: 12.5)
    #expect(try Event(record.events[1]).payload == .goal(goal))

    let names = FormatCatalog.standard.all.map(\.name) + ["visits"]
    #expect(formats.all.map(\.name) == names.sorted())
    let typing = #expect(throws: SpecificationError.self) { try formats.named("visit") }
    #expect(typing?.description.contains("did you mean \"visits\"?") == true)
    #expect(throws: SpecificationError.self) { try formats.named("visits:price=1") }
    let other = try folder.write("visitor,shown\n", "other.csv")
    let unknown = #expect(throws: ImportError.self) { try Importer(formats: formats).open(other) }
    #expect(unknown?.description.contains("it is not visits: no column \"bought\"") == true)
    let header = #expect(throws: ImportError.self) { try Importer(format: format).open(other) }
    #expect(header?.description.contains("line 1 has no column \"bought\"; add it") == true)
  }
}
