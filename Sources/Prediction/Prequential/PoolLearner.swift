/// Lets the pools of a slice learn the takes of runs that are in other slices.
///
/// - Complexity: memory 4 bytes for each run and each last take that the pools need.
struct PoolLearner<P: OptionPredictor> {
  /// The number of last takes that are kept of each run.
  private let context: Int
  /// By run, the numbers of the options taken last, the oldest first; the maximum value after them.
  private var recent: [UInt32] = []

  init(_ predictor: P) { context = min(predictor.poolContext ?? 0, RecentTakes.most) }

  @inline(__always)
  mutating func apply(
    _ step: StudyStep, _ tables: StudyTables, _ shared: inout PredictorRun<P>.SharedState
  ) {
    switch step.kind {
    case .take, .novelTake:
      var before = RecentTakes()
      if context > 0 {
        makeRoom(for: step.run)
        before = takes(of: Int(step.run), shared.plan.catalog.codes.span)
        append(step.option, to: Int(step.run), count: before.count)
      }
      shared.learn(shared.plan.catalog.codes[Int(step.option)], after: before, step.study)
    case .define: forget(step.run)
    case .change:
      let place = Int(step.place)
      let kept = tables.options[place].places(keptFrom: tables.options[place - 1])
      if kept?.isEmpty ?? true { forget(step.run) }
    case .encounter, .features: break
    }
  }

  @inline(__always)
  private mutating func makeRoom(for run: UInt32) {
    while recent.count < (Int(run) + 1) * context { recent.append(.max) }
  }

  @inline(__always)
  private func takes(of run: Int, _ codes: Span<UInt64>) -> RecentTakes {
    var takes = RecentTakes()
    let start = run * context
    for place in start..<start + context where recent[place] != .max {
      takes.add(codes[Int(recent[place])])
    }
    takes.findKeys()
    return takes
  }

  @inline(__always)
  private mutating func append(_ option: UInt32, to run: Int, count: Int) {
    let start = run * context
    guard count == context else {
      recent[start + count] = option
      return
    }
    for place in start + 1..<start + context { recent[place - 1] = recent[place] }
    recent[start + context - 1] = option
  }

  private mutating func forget(_ run: UInt32) {
    guard context > 0 else { return }
    makeRoom(for: run)
    for place in Int(run) * context..<(Int(run) + 1) * context { recent[place] = .max }
  }
}
