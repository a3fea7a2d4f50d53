internal import EventLog

/// The units of an experiment, read once, which projectors can visit repeatedly.
struct EvaluatedUnits {
  /// The units.
  let collected: any BucketedUnits
  /// What was selected.
  let selection: UnitSelection
  /// The names.
  let names: LogNames
  private let source: any UnitSource

  /// Reads the units of a source.
  ///
  /// - Throws: `LogError` if the log cannot be read.
  init(
    _ source: any UnitSource, _ selection: UnitSelection, _ needs: UnitNeeds, _ names: LogNames
  ) throws {
    self.source = source
    self.selection = selection
    self.names = names
    collected = try source.units(needs.union(.hashes))
  }

  /// Reads the selected part of a log.
  ///
  /// - Throws: `LogError` if the log cannot be read.
  init(_ replay: LogReplay, _ selection: UnitSelection, _ needs: UnitNeeds) throws {
    let names =
      try replay.exchange?.names
      ?? LogNames(replay.log, [.experiments, .points, .slots, .variants, .attributes])
    try self.init(LogUnits(replay, selection), selection, needs, names)
  }

  /// The names of the experiments.
  var experiment: String {
    (selection.experiments ?? []).sorted().map {
      names.string($0, in: .experiments) ?? "\($0)"
    }.joined(separator: ", ")
  }

  /// Returns the result of a projector over the units.
  func show<P: UnitProjector>(to projector: P) throws -> P.Result {
    try source.show(collected, to: projector)
  }

  /// Fills slots in one pass over the units, and returns the context.
  func fill(_ slots: [any UnitSlotting]) throws -> UnitContext {
    try source.fill(slots) { collected }
  }

  /// Fills slots, each of which may take much memory, and returns the context: one after the other, or in one pass where
  /// states are exchanged, so that there are few of these.
  func fillEach(_ slots: [any UnitSlotting]) throws -> UnitContext {
    guard source.exchange == nil else { return try fill(slots) }
    for slot in slots { _ = try fill([slot]) }
    return collected.context
  }
}
