import ArgumentParser
import EventLog
import Events
import Foundation
import Projections
import Reports
import Tables
import TestSupport
import Testing

@testable import Service
@testable import bandolier

/// A report that another program declares in one file has all that the built-in ones have.
@Suite("A report of one's own")
struct OwnReportTests {
  private let catalog = ReportCatalog.standard.adding(OwnReport.self)
  private let folder: TemporaryFolder
  private let log: String

  init() throws {
    folder = try TemporaryFolder()
    log = folder.path("log")
    let writer = try LogWriter(log)
    for (index, unit) in ["a", "b", "a", "a", "b", "c"].enumerated() {
      try writer.append([
        Event(
          time: Timestamp(microseconds: Int64(index) * 1_000_000), unit: UnitID(unit),
          payload: .decision(Decision(experiment: ExperimentID("e"), variant: VariantID("v"))))
      ])
    }
    try writer.commit()
    writer.close()
  }

  /// Runs the command with the report.
  private func run(_ arguments: [String]) throws {
    try Bandolier.$reports.withValue(catalog) {
      var command = try Bandolier.parseAsRoot(arguments)
      try command.run()
    }
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: folder.path(path), encoding: .utf8)
  }

  @Test("is a verb of the command, with its option")
  func command() throws {
    try run(["report", "busy_units", log, "-o", folder.path("two.csv")])
    #expect(try text("two.csv") == "least,units\n2,2\n")
    try run(["report", "busy_units", log, "--least", "3", "-o", folder.path("three.csv")])
    #expect(try text("three.csv") == "least,units\n3,1\n")
  }

  @Test("has its option in the help of the verb, and refuses what it does not take")
  func help() throws {
    let help = ReportVerb<OwnReport>.helpMessage(columns: 100)
    #expect(help.contains("--least <N>"))
    #expect(help.contains("Count units with at least N exposures"))
    #expect(throws: (any Error).self) { try run(["report", "busy_units", log, "--least", "0"]) }
    #expect(throws: (any Error).self) { try run(["report", "busy_units", log, "--least", "x"]) }
  }

  @Test("is explained")
  func explained() throws {
    try run(["explain", "busy_units", "-o", folder.path("explained.csv")])
    #expect(try text("explained.csv").contains("units with at least --least exposures"))
  }

  @Test("is one of the reports of a folder")
  func reportAll() throws {
    try run(["report", "all", log, "-o", folder.path("all")])
    #expect(try text("all/busy_units.csv") == "least,units\n2,2\n")
    let page = try text("all/report.html")
    #expect(page.contains("Units that came often") && page.contains("Units with so many exposures."))
    #expect(try text("all/plots/all-busy_units-busy_units.svg").contains("Busy units"))
    let cell = #"read(\"busy_units\").plot.bar(x=\"least\", y=\"units\")"#
    #expect(try text("all/report.ipynb").contains(cell))
  }

  @Test("has its table in a database")
  func database() throws {
    let path = folder.path("models.sqlite")
    try run(["replay", log, "--into", path])
    try run(["report", "busy_units", path, "-o", folder.path("kept.csv")])
    #expect(try text("kept.csv") == "least,units\n2,2\n")
    let model = ReadModel(path, reports: catalog)
    let ready = try #require(try model.readyTable(of: OwnReport()))
    #expect(ready.cells(of: "units") == [.integer(2)])
  }

  @Test("can be asked for over HTTP, and is in the document of the interface")
  func service() throws {
    let query = try OptionQuery(FormParameters.parse("least=3".utf8))
    let asked = try ReportRequest(named: "busy_units", of: catalog, query)
    #expect((asked.report as? OwnReport)?.least == 3)
    let parameters = ReportSchema(catalog).description.parameters.map(\.description).joined()
    #expect(parameters.contains("least"))
  }

  @Test("has its keywords in Python")
  func python() {
    let stub = PythonStub.text(catalog)
    #expect(stub.contains("busy_units"))
    #expect(stub.contains("least: _Integer = ..."))
  }

  @Test(
    "the types of the Python package are those of the declared options (BANDOLIER_WRITE=1 writes them)"
  )
  func pythonFile() throws {
    let path = "Sources/Python/bandolier/_options.pyi"
    let stub = PythonStub.text(.standard)
    if ProcessInfo.processInfo.environment["BANDOLIER_WRITE"] != nil {
      try stub.write(toFile: path, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == stub)
  }
}
