package import EventLog

/// The units of an experiment, read once, which projectors can visit repeatedly.
package struct EvaluatedUnits {
  /// The units: their decisions, or their events.
  private enum Content {
    case decisions(DecidedUnits)
    case events(any BucketedUnits)
  }

  private let content: Content
  /// The selection.
  package let selection: UnitSelection
  /// The names.
  package let names: LogNames
  private let source: any UnitSource

  /// Reads the units of a source.
  ///
  /// - Throws: `LogError` if the log cannot be read.
  package init(
    _ source: any UnitSource, _ selection: UnitSelection, _ needs: UnitNeeds, _ names: LogNames
  ) throws {
    self.init(.events(try source.units(needs.union(.hashes))), source, selection, names)
  }

  /// Reads the decisions of the units of the selected part of a log; their events instead where states are exchanged,
  /// or memory is limited, because events can be kept in a file.
  ///
  /// - Parameters:
  ///   - replay: The log.
  ///   - selection: The part.
  ///   - needs: The needed events, and the hashes of units if they are.
  ///   - attribution: How goals are credited, the same in all visits; nil to read events.
  /// - Throws: `LogError` if the log cannot be read.
  package init(
    _ replay: LogReplay, _ selection: UnitSelection, _ needs: UnitNeeds,
    deciding attribution: Attribution?
  ) throws {
    guard let attribution, replay.exchange == nil, replay.memoryLimit == nil else {
      let source = LogUnits(replay, selection)
      let read = replay.exchange == nil ? needs : needs.union(.hashes)
      self.init(.events(try source.units(read)), source, selection, try Self.names(replay))
      return
    }
    var units = try replay.collect(selection, needs, singleUnits: attribution)
    if needs.contains(.hashes) { units.context.hashes = try UnitHashes(replay.log) }
    try self.init(units, deciding: attribution, replay, selection, Self.names(replay))
  }

  /// Takes the collected units of a part of a log.
  ///
  /// - Parameters:
  ///   - units: The units.
  ///   - attribution: How goals are credited, the same in all visits; nil to keep events.
  ///   - replay: The log.
  ///   - selection: The part.
  ///   - names: The names, see ``names(_:)``.
  /// - Throws: `LogError` if events cannot be read.
  package init(
    _ units: consuming CollectedUnits, deciding attribution: Attribution?, _ replay: LogReplay,
    _ selection: UnitSelection, _ names: LogNames
  ) throws {
    let content: Content
    if let attribution {
      content = .decisions(try DecidedUnits(units, attribution, jobs: replay.jobs))
    } else {
      content = .events(units)
    }
    self.init(content, LogUnits(replay, selection), selection, names)
  }

  private init(
    _ content: Content, _ source: any UnitSource, _ selection: UnitSelection, _ names: LogNames
  ) {
    (self.content, self.source) = (content, source)
    (self.selection, self.names) = (selection, names)
  }

  /// Reads the events of the units of the selected part of a log.
  ///
  /// - Throws: `LogError` if the log cannot be read.
  package init(_ replay: LogReplay, _ selection: UnitSelection, _ needs: UnitNeeds) throws {
    try self.init(LogUnits(replay, selection), selection, needs, Self.names(replay))
  }

  /// Returns the names that evaluations need.
  package static func names(_ replay: LogReplay) throws -> LogNames {
    try replay.exchange?.names
      ?? LogNames(replay.log, [.experiments, .points, .slots, .variants, .attributes])
  }

  /// The context of the units.
  package var context: UnitContext {
    switch content {
    case .decisions(let units): units.context
    case .events(let units): units.context
    }
  }

  /// The decisions of the units; nil if their events are read.
  package var decided: DecidedUnits? {
    if case .decisions(let units) = content { return units }
    return nil
  }

  /// The names of the experiments.
  package var experiment: String {
    (selection.experiments ?? []).sorted().map {
      names.string($0, in: .experiments) ?? "\($0)"
    }.joined(separator: ", ")
  }

  /// Returns the result of a projector over the events of the units, which are read again if only their decisions were
  /// kept.
  package func show<P: UnitProjector>(to projector: P) throws -> P.Result {
    switch content {
    case .events(let units): return try source.show(units, to: projector)
    case .decisions:
      return try source.show(source.units(projector.needs.union(.hashes)), to: projector)
    }
  }

  /// Fills slots in one pass over the units, and returns the context.
  package func fill(_ slots: [any DecisionSlotting]) throws -> UnitContext {
    switch content {
    case .events(let units): return try source.fill(slots) { units }
    case .decisions(let units):
      try units.fill(slots, jobs: source.jobs)
      return units.context
    }
  }

  /// Fills slots, each of which may take much memory, and returns the context: one after the other, or in one pass
  /// where states are exchanged, so that there are few of these.
  package func fillEach(_ slots: [any DecisionSlotting]) throws -> UnitContext {
    guard source.exchange == nil else { return try fill(slots) }
    for slot in slots { _ = try fill([slot]) }
    return context
  }
}
