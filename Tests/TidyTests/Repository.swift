import Foundation
import Testing

/// The files of this repository, by their paths from its top.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  static func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
  }

  /// The visible entries of a folder, "" for the top level.
  static func entries(of folder: String = "") throws -> Set<String> {
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")
    return Set(names.filter { !$0.hasPrefix(".") })
  }

  /// The files below a folder whose names end so, of which there must be some: no check of files passes without one.
  static func files(in folder: String, ending suffix: String) throws -> [String] {
    let names = FileManager.default.enumerator(atPath: "\(root)/\(folder)")?.allObjects ?? []
    let paths = names.compactMap { $0 as? String }.filter { $0.hasSuffix(suffix) }.sorted()
    try #require(!paths.isEmpty, "\(folder) has no files that end with \(suffix)")
    return paths.map { "\(folder)/\($0)" }
  }

  /// The texts of README.md and of the pages of the DocC catalogues.
  static func pages() throws -> [String] {
    try (["README.md"] + files(in: "Sources", ending: ".md")).map { try text($0) }
  }
}

/// A Swift file of this repository.
struct SourceFile {
  var path: String
  var lines: [String]

  /// The target it belongs to: the second part of `Sources/TARGET/...`.
  var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
  /// The last part of its path.
  var name: String { path.split(separator: "/").last.map(String.init) ?? "" }

  static func all(in folder: String) throws -> [SourceFile] {
    try Repository.files(in: folder, ending: ".swift").map { path in
      let text = try Repository.text(path)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      return SourceFile(path: path, lines: lines)
    }
  }
}
