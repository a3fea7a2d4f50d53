import EventLog

/// Replaying synthetic journeys into a database: all of them, and the last hundredth into a database of the rest.
struct ReadModelSteps {
  private let bandolier: String
  private let log: String
  private let database: String
  /// The database without the last hundredth.
  private let before: String
  private let events: Int

  /// Writes the log.
  init(bandolier: String, folder: String, events: Int, seed: UInt64) throws {
    self.bandolier = bandolier
    self.events = events
    log = folder + "/growing.log"
    database = folder + "/model.sqlite"
    before = folder + "/before.sqlite"
    var writer = try JourneyLog(
      log, JourneyEvents(count: events, seed: seed), seed: seed, profile: .fast)
    try writer.append(events - events / 100)
    _ = try ProcessRun([bandolier, "replay", log, "--into", before])
    try writer.append(events / 100)
  }

  func steps() -> [Step] {
    let command = [bandolier, "replay", log, "--into", database]
    return [
      Step(
        name: "replay into SQLite", events: events, prepare: { WorkFolder.remove(database) },
        run: { Measurement(try ProcessRun(command)) }),
      Step(
        name: "replay 1 % more into SQLite", events: events / 100,
        prepare: { _ = try ProcessRun(["/bin/cp", "--sparse=never", before, database]) },
        run: { Measurement(try ProcessRun(command)) }),
    ]
  }
}
