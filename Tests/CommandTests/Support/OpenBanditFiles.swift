import Foundation

/// The published logs of the Open Bandit Dataset, which are no part of the project.
enum OpenBanditFiles {
  /// `BANDOLIER_DATASETS`, or `datasets` in the folder `shared` beside the package.
  static let folder: String = {
    if let named = ProcessInfo.processInfo.environment["BANDOLIER_DATASETS"] { return named }
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<5 { root.deleteLastPathComponent() }
    return root.appendingPathComponent("shared/datasets").path
  }()

  static func path(_ policy: String) -> String { "\(folder)/obd/\(policy)/men.csv.gz" }

  /// The features of the items.
  static func items(_ policy: String) -> String { "\(folder)/obd/\(policy)/item_context.csv" }

  static let areThere = FileManager.default.fileExists(atPath: path("random"))
}
