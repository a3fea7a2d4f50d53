import Foundation
import TestSupport
import Testing

@Suite(
  "The Open Bandit logs as published, from import to evaluation",
  .enabled(
    if: OpenBanditFiles.areThere,
    "there are no Open Bandit logs at \(OpenBanditFiles.folder); name their folder with BANDOLIER_DATASETS"
  ))
struct OpenBanditEvaluationTests {
  private static let estimators = [
    "ips", "clipped-ips:lambda=2", "snips", "dm", "dr", "sndr", "switch-dr:tau=2.5",
    "dros:lambda=5", "sub-gaussian-ips:lambda=0.05", "cressie-read", "empirical-likelihood",
  ]

  /// For each log and policy: mean weight, greatest weight, effective sample size, and the value by each of the
  /// estimators, as Open Bandit Pipeline 0.5.5 and vw-estimators 0.2.2 print them.
  private static let printed: [String: [String: [Double]]] = [
    "random": [
      "uniform": [
        1, 1, 10000, 0.0046, 0.0046, 0.0046, 0.0041705744, 0.0045921812, 0.0045921812,
        0.0045921812, 0.0045219134, 0.0046, 0.0046, 0.0046,
      ],
      "softmax_if0": [
        1.0130638, 9.1984458, 2694.7536, 0.0034254228, 0.0025554843, 0.003381251, 0.0038206693,
        0.0033631617, 0.0033690614, 0.0038245934, 0.0037605611, 0.00313281, 0.0033872797,
        0.0033874016,
      ],
      "first_half": [
        1, 2, 5000, 0.0036, 0.0036, 0.0036, 0.0038815476, 0.0035793501, 0.0035793501,
        0.0035793501, 0.0037136601, 0.0034285714, 0.0036, 0.0036,
      ],
      "most_logged": [
        1.173, 34, 345, 0.0102, 0.0006, 0.0086956522, 0.0054523568, 0.0091908828, 0.008639506,
        0.0054523568, 0.0054684572, 0.0038490566, 0.0086956522, 0.0086956522,
      ],
    ],
    "bts": [
      "uniform": [
        0.94331363, 178.25312, 655.70985, 0.0030086263, 0.0024475959, 0.0031894232, 0.0044857694,
        0.0031623524, 0.0030828245, 0.0045612418, 0.0045945756, 0.0028845888, 0.0033997623,
        0.0033997623,
      ],
      "softmax_if0": [
        0.95229155, 392.09062, 211.29247, 0.0016447646, 0.0013571685, 0.0017271649, 0.0040960613,
        0.0017012429, 0.001581266, 0.0039727185, 0.0040131035, 0.0015955486, 0.0019739529,
        0.0019739529,
      ],
      "first_half": [
        0.95861464, 356.50624, 298.80002, 0.0030581844, 0.0019019973, 0.0031902125, 0.0043713491,
        0.0031110287, 0.003056618, 0.0043905972, 0.0044177545, 0.0027217511, 0.0033437434,
        0.0033437434,
      ],
      "most_logged": [
        0.93933707, 85.287846, 1101.7834, 0.0063720982, 0.0032, 0.0067836119, 0.0067993688,
        0.0068149646, 0.0068159718, 0.0068462071, 0.0070462994, 0.0054291284, 0.0067906724,
        0.0067906724,
      ],
    ],
  ]

  /// The probabilities of the items: a script of a few lines.
  private static func target(_ policy: String, _ log: String) throws -> [Double] {
    let items = try String(contentsOfFile: OpenBanditFiles.items(log), encoding: .utf8)
      .split(separator: "\n").dropFirst()
    let features = try items.map { line in
      try #require(Double(line.split(separator: ",")[2]))
    }
    let count = features.count
    switch policy {
    case "softmax_if0":
      let sum = features.reduce(0) { $0 + exp($1) }
      return features.map { exp($0) / sum }
    case "first_half":
      return (0..<count).map { $0 < count / 2 ? 1 / Double(count / 2) : 0 }
    case "most_logged":
      let decisions = try OpenBanditDataTests.count(OpenBanditFiles.path(log))
      var counts = [Int](repeating: 0, count: count)
      for (key, row) in decisions { counts[try #require(Int(key[1]))] += row.decisions }
      let most = counts.firstIndex(of: counts.max() ?? 0)
      return (0..<count).map { $0 == most ? 1 : 0 }
    default: return [Double](repeating: 1 / Double(count), count: count)
    }
  }

  @Test("every printed digit of the estimates", arguments: ["random", "bts"])
  func values(log name: String) throws {
    let folder = try TemporaryFolder()
    let log = folder.path("log")
    expectDone(try Command.run(["import", OpenBanditFiles.path(name), "--log", log]))
    for (policy, printed) in try #require(Self.printed[name]) {
      let rows = try Self.target(policy, name).enumerated().map { "\($0),\($1)" }
      let table = folder.path("\(policy).csv")
      try (["variant,probability"] + rows).joined(separator: "\n")
        .write(toFile: table, atomically: true, encoding: .utf8)
      let result = try Command.run(
        [
          "evaluate", log, "--policy", "table:path=\(table)", "--format", "csv",
          "--reward-model", "tabular:prior-sum=1,prior-count=250",
        ]
          + Self.estimators.flatMap { ["--estimator", $0] })
      expectDone(result)
      let header = result.lines[0].components(separatedBy: ",")
      let found = result.lines.dropFirst().map { line in
        Dictionary(
          zip(header, line.components(separatedBy: ",")), uniquingKeysWith: { first, _ in first })
      }
      #expect(found.count == Self.estimators.count)
      for (index, estimator) in Self.estimators.enumerated() {
        let row = try #require(found.first { $0["estimator"] == estimator })
        #expect(row["decisions"] == "10000")
        let columns = ["mean_weight", "max_weight", "effective_sample_size", "value"]
        let wanted = Array(printed[..<3]) + [printed[3 + index]]
        // The likelihoods of the printed values were found to 1e-5.
        let tolerance = index > 8 ? 1e-5 : 5.1e-8
        for (column, value) in zip(columns, wanted) {
          let number = try #require(row[column].flatMap { Double($0) })
          #expect(
            abs(number - value) <= tolerance * value, "\(name), \(policy), \(estimator), \(column)")
        }
      }
    }
  }
}
