import Bandits
import EventLog
import Events
import OffPolicy
import Prediction
import Replay
import Specifications
import Statistics
import Tables

@testable import Reports

/// A report with options, and the dimension by which it is broken down.
struct PreparedReport: Sendable, CustomStringConvertible {
  let label: String
  let report: any Report
  var dimension: Dimension?

  var description: String { label + (dimension.map { " by \($0)" } ?? "") }

  /// The report on a log as CSV and as JSON; the error if there is one.
  func texts(of log: LogReader, jobs: Int = 1) throws -> [String] {
    var selection = UnitSelection()
    selection.dimension = dimension
    do {
      let table = try report.table(of: LogReplay(log, jobs: jobs), selection)
      return [TableFormat.csv, .json].map { format in
        var bytes: [UInt8] = []
        format.writer(TableOptions()).write(table, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
      }
    } catch let error as LogError {
      throw error
    } catch {
      return ["\(error)".split(separator: log.path).joined(separator: "LOG")]
    }
  }
}

/// All reports, each with several sets of options that name what a ``SpelledWorld`` has.
struct EveryReport {
  let names: Spelling
  /// Whether predictors are among them that hash names.
  var hashesNames = true

  func all() throws -> [PreparedReport] {
    try rewards() + conversions() + comparisons() + units() + health() + predictions()
      + evaluations()
  }

  private var dimensions: [Dimension] {
    [
      .policy, .reason, .day, .context(names.first), .context(names.second),
      .data(kind: "custom", key: names.second), .data(kind: "custom", key: nil),
    ]
  }

  private func rewards() throws -> [PreparedReport] {
    let rewards = dimensions.map {
      PreparedReport(label: "rewards", report: RewardReport(), dimension: $0)
    }
    let linear = try RewardReport {
      $0.attribution = Attribution(rule: .linear)
      $0.per = .unit
    }
    let regret = try RegretMeans.allCases.flatMap { means in
      [
        PreparedReport(
          label: "regret \(means)",
          report: try RegretReport { $0.rules = RegretRules(means: means) }),
        PreparedReport(
          label: "regret \(means)",
          report: try RegretReport {
            $0.rules = RegretRules(hasIntervals: false)
            $0.decomposes = true
          },
          dimension: .context(names.second)),
      ]
    }
    let series = try [SeriesProjector.Basis.event, .exposure].map { basis in
      PreparedReport(
        label: "series \(basis)", report: try SeriesReport { $0.basis = basis },
        dimension: .context(names.first)
      )
    }
    let adaptive = try [AdaptiveAllocation.constant, .twoPoint].flatMap { allocation in
      try [nil, names.second].map { baseline in
        PreparedReport(
          label: "adaptive \(allocation)",
          report: try AdaptiveReport {
            $0.plan = AdaptivePlan(allocation: allocation, baseline: baseline)
          },
          dimension: baseline == nil ? .context(names.first) : nil)
      }
    }
    return rewards + [PreparedReport(label: "rewards linear", report: linear)] + regret + series
      + adaptive
  }

  private func conversions() throws -> [PreparedReport] {
    let capping = Capping.percentile(0.9, ignoringZeros: true)
    return [
      PreparedReport(
        label: "conversions", report: ConversionReport(), dimension: dimensions[3]),
      PreparedReport(
        label: "conversions",
        report: try ConversionReport {
          $0.source = .goals
          $0.capping = capping
        }),
      PreparedReport(
        label: "quantiles",
        report: try QuantileReport {
          $0.metrics = QuantileReport.Metric.allCases
          $0.goals = [names.first, names.second, "c"]
        },
        dimension: dimensions[5]),
    ]
  }

  private func comparisons() throws -> [PreparedReport] {
    let metrics = [
      Metric(.reward, goal: names.first), Metric(.reward, goal: names.second), Metric(.converted),
      Metric(Metric.Term(.revenue, goal: names.second), over: Metric.Term(.conversions)),
    ]
    let methods = try ComparisonMethod.allCases.map { method in
      var plan = ComparisonPlan()
      plan.method = method
      if method == .msprt { plan.mixingVariance = 2 }
      if method == .groupSequential {
        plan.looks = ComparisonPlan.Looks(
          count: 3, look: 2, spending: .obrienFleming)
      }
      let metric = Metric(method.isOfProportions ? .converted : .reward)
      return PreparedReport(
        label: "compare \(method)",
        report: try ComparisonReport {
          $0.measures = MetricPlan([metric])
          $0.plan = plan
        })
    }
    var plan = ComparisonPlan()
    plan.method = .bootstrap
    plan.baseline = names.second
    plan.resampling = MetricProjector.Bootstrap(replicates: 40, seed: 3)
    var shares = ComparisonPlan()
    shares.expectedShares = [names.first: 0.2, "v": 0.3]
    return methods + [
      PreparedReport(
        label: "compare metrics",
        report: try ComparisonReport {
          $0.measures = MetricPlan(metrics)
          $0.plan = plan
        },
        dimension: .context(names.first)),
      PreparedReport(
        label: "compare strata",
        report: try ComparisonReport {
          $0.plan = shares
          $0.strata = .data(kind: "custom", key: nil)
        }),
      PreparedReport(label: "power", report: try PowerReport { $0.measures = MetricPlan(metrics) }),
      PreparedReport(
        label: "decisions",
        report: DecisionReport(
          AnalysisPlan([.init(names.first), .init(names.second, metric: metrics[3])]))),
    ]
  }

  private func units() throws -> [PreparedReport] {
    let steps = ["goal:\(names.first)", "goal:\(names.second)"]
    return [
      PreparedReport(label: "visits", report: VisitReport(), dimension: dimensions[4]),
      PreparedReport(
        label: "funnel", report: try FunnelReport { $0.steps = steps }, dimension: .policy),
      PreparedReport(
        label: "funnel",
        report: try FunnelReport {
          $0.steps = [names.second, "c"]
          $0.order = .any
        }),
      PreparedReport(label: "retention", report: RetentionReport(), dimension: .reason),
      PreparedReport(
        label: "novelty", report: try NoveltyReport { $0.days = [0, 1] }, dimension: .context(names.first)),
      PreparedReport(
        label: "retention",
        report: try RetentionReport {
          $0.days = [0, 1, 2]
          $0.signal = .conversions
        }),
    ]
  }

  private func health() throws -> [PreparedReport] {
    [
      PreparedReport(label: "health", report: HealthReport()),
      PreparedReport(label: "health", report: HealthReport(), dimension: dimensions[3]),
    ]
  }

  private func predictions() throws -> [PreparedReport] {
    let alone = ["last", "frequency", "markov:order=1", "ctw", "half-life:days=1"]
    let pooled = ["pooled", "popular"] + (hashesNames ? ["logistic:bits=8"] : [])
    return try [alone, pooled].flatMap { predictors in
      try PredictionRules.Source.allCases.flatMap { source in
        try PredictionTable.allCases.map { table in
          var rules = PredictionRules(predictors: try predictors.map { try Predictors.named($0) })
          rules.source = source
          if predictors == alone { rules.baselines = [] }
          if table == .skill { rules.plan.delay = 6 * 3_600_000_000 }
          if table == .history { rules.studies = [names.second, "s"] }
          return PreparedReport(
            label: "predictions \(predictors[0]) \(source) \(table)",
            report: try PredictionReport {
              $0.rules = rules
              $0.table = table
            },
            dimension: table == .scores ? .context(names.first) : nil)
        }
      }
    }
  }

  private func evaluations() throws -> [PreparedReport] {
    let policies = [
      "uniform", "fixed:variant=\(names.first)", "fixed:variant=\(names.second)",
      "weights:\(names.first)=0.7;\(names.second)=0.2;v=0.1", "logged",
    ]
    var plan = OffPolicyPlan(
      policies: try policies.map {
        try TargetPolicyCatalog.standard.named($0) { path throws(SpecificationError) in
          throw SpecificationError(path)
        }
      },
      learningPolicies: try ["ucb1", "epsilon-greedy:epsilon=0.2"].map {
        try ReplayedPolicy(Specification(parsing: $0))
      }, runs: 2,
      estimators: ["ips", "snips", "dm", "dr", "switch-dr:tau=1", "mips", "balanced-ips"]
        .compactMap { try? EstimatorCatalog.standard.named($0) },
      intervals: ["normal", "bootstrap:replicates=30"].compactMap {
        try? IntervalCatalog.standard.named($0)
      }, rewardModel: TabularRewards(), folds: 3)
    plan.versus = 0
    let tables: [EvaluationTable?] = [nil, .values, .support, .weights, .versus, .time, .windows]
    return try tables.map { table in
      PreparedReport(
        label: "evaluate \(table.map { "\($0)" } ?? "")",
        report: try EvaluationReport {
          $0.plan = plan
          $0.askedTable = table
          $0.windows = table == .windows ? [nil, 86_400_000_000] : []
        })
    }
  }
}
