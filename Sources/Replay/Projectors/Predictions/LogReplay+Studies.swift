internal import EventLog
internal import Events
internal import Prediction
internal import Specifications
internal import Threads

extension LogReplay {
  /// Reads the study events of a log, and partitions them by unit. Events take 32 bytes each, in memory up to
  /// ``memoryLimit`` and beyond it in a temporary file.
  ///
  /// - Throws: `LogError` if a frame cannot be read or the temporary file fails.
  func studies(
    _ selection: UnitSelection, _ rules: PredictionRules, for predictors: [Predictor]
  ) throws -> CollectedStudies {
    let wantsFeatures = predictors.contains(where: \.wantsFeatures)
    var selection = selection
    selection.since = nil
    let names = try LogNames(
      log, [.dataKinds, .experiments, .keys, .points, .policies, .reasons, .slots, .variants])
    var collector = StudyCollector(
      source: rules.source, selection: selection, standard: StandardNames(names),
      codes: codes(names, selection, rules),
      configurations: rules.source == .studies
        ? try StudyConfigurations(
          log, selection, of: rules.studies.map { Set($0.map { ExperimentID($0) }) })
        : StudyConfigurations(),
      naming: wantsFeatures ? try featureNaming(names, rules.source) : nil,
      takesSamples: predictors.contains(where: \.isPooled), bucketCount: 1,
      memoryLimit: memoryLimit.map { $0 / 2 / jobs } ?? .max, folder: log.path)
    let events = Int(clamping: log.eventCount(where: collector.filter))
    collector.bucketCount = UnitBuckets.bucketCount(
      atLeast: min(max(events >> 15, 4 * jobs), 2_048))
    var state = try run(collector)
    if wantsFeatures, rules.source == .decisions {
      state.ledger.unreadAttributes = max(
        0, Int(log.codeLimit(.attributes)) - 1 - FeatureNaming.attributeLimit)
    }
    var studies = CollectedStudies(state, collector, names, rules)
    if predictors.contains(where: \.isPooled) { studies.hashes = try UnitHashes(log) }
    return studies
  }

  private func codes(
    _ names: LogNames, _ selection: UnitSelection, _ rules: PredictionRules
  ) -> StudyCollector.Codes {
    var codes = StudyCollector.Codes()
    codes.taken = names.code(of: "optionTaken", in: .dataKinds) ?? .max
    codes.encountered = names.code(of: "optionEncountered", in: .dataKinds) ?? .max
    codes.emptyKey = names.code(of: "", in: .keys) ?? .max
    if case .data(let kind, let key) = selection.dimension {
      // A kind or key that is not in the log has no data point.
      codes.dimension = (
        names.code(of: kind, in: .dataKinds) ?? .max,
        key.map { names.code(of: $0, in: .keys) ?? .max }
      )
    }
    codes.studies = rules.studies.map { Set($0.compactMap { names.code(of: $0, in: .keys) }) }
    return codes
  }

  private func featureNaming(
    _ names: LogNames, _ source: PredictionRules.Source
  ) throws -> FeatureNaming {
    guard source == .decisions else { return FeatureNaming(attributes: [], names: names) }
    let attributes = try LogNames(log, [.attributes])
    let wanted = attributes.texts(.attributes).distinctNames.prefix(FeatureNaming.attributeLimit)
    return FeatureNaming(attributes: Array(wanted), names: names)
  }

  /// Calls the closure for each bucket with its number and the number of its thread; idle threads take the next
  /// bucket.
  ///
  /// - Returns: The result of each thread's state.
  func forEachBucket<State, Result: Sendable>(
    of count: Int, makeState: @Sendable () -> State,
    _ body: @Sendable (Int, inout State) throws -> Void,
    finish: @Sendable (consuming State) -> Result
  ) throws -> [Result] {
    let buckets = WorkQueue(count: count)
    return try Workers.run(min(jobs, count)) { _ in
      var state = makeState()
      while let bucket = buckets.next() { try body(bucket, &state) }
      return finish(state)
    }
  }
}
