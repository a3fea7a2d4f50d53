extension PredictorRun {
  /// The state that the runs of a predictor share.
  struct SharedState {
    let predictor: P
    let plan: EvaluationPlan
    let isPooled: Bool
    /// The pool of the study of the latest take. It is apart from the others because an element of an array would be
    /// copied for each forecast.
    var pool: P.Learning.Pool
    private var study = 0
    /// The pools of the other studies, up to the highest that occurred.
    private var pools: [P.Learning.Pool] = []
    var tallies: PredictionTallies
    /// A buffer for forecasts.
    var confidences: [Double] = []

    @inline(__always)
    init(_ predictor: P, _ plan: EvaluationPlan) {
      self.predictor = predictor
      self.plan = plan
      isPooled = predictor.isPooled
      tallies = PredictionTallies(plan)
      pool = predictor.emptyPool
    }

    /// Returns the pool of a study; nil if nothing was learned.
    func pool(_ study: UInt32) -> P.Learning.Pool? {
      let study = Int(study)
      guard study == self.study || study < pools.count else { return nil }
      let pool = study == self.study ? self.pool : pools[study]
      return pool == predictor.emptyPool ? nil : pool
    }

    /// Changes to the pool of a study.
    @inline(__always)
    mutating func turn(to study: UInt32) {
      if Int(study) != self.study { exchange(Int(study)) }
    }

    @inline(never)
    private mutating func exchange(_ study: Int) {
      while pools.count <= max(study, self.study) { pools.append(predictor.emptyPool) }
      swap(&pool, &pools[self.study])
      swap(&pool, &pools[study])
      self.study = study
    }

    /// Lets the pool of the study learn a take of a unit whose learning state is elsewhere.
    @inline(__always)
    mutating func learn(_ code: UInt64, after recent: RecentTakes, _ study: UInt32) {
      turn(to: study)
      predictor.learn(code, after: recent, pool: &pool)
    }
  }
}
