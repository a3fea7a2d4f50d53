import Events
import Interchange
import Reports

/// A folder that an earlier `report all` may have written, which `--force` replaces.
struct WrittenFolder {
  /// The name of the manifest.
  static let manifest = "manifest.json"

  private let path: String
  private let files: [String]

  /// Creates a reference to a folder with files.
  ///
  /// - Parameters:
  ///   - path: The path of the folder.
  ///   - files: The paths in it of all files in it and in the folders below.
  init(_ path: String, files: [String]) { (self.path, self.files) = (path, files) }

  /// Throws an error unless the folder has a manifest of `report all` and nothing that the manifest does not list.
  func require() throws {
    guard let listed = listedFiles() else {
      throw Failure(
        exitCode: Failure.cannotCreate,
        "\(path) has no manifest.json of `bandolier report all`, so --force does not replace it; name another folder"
      )
    }
    if let other = files.sorted().first(where: { !listed.contains($0) }) {
      throw Failure(
        exitCode: Failure.cannotCreate,
        "\(path)/\(other) was not written by `bandolier report all`, so --force does not replace the folder; "
          + "move it away, or name another folder")
    }
  }

  /// Returns the files that the manifest lists; nil if there is no manifest of ours.
  private func listedFiles() -> Set<String>? {
    let bytes = try? WholeInput.bytes("\(path)/\(Self.manifest)", limit: 1 << 26) { _ in true }
    guard let bytes, let manifest = try? JSONValue(parsing: bytes),
      manifest["schema"]?.string == BookManifest.schema
    else { return nil }
    let paths = (manifest["files"]?.array ?? []).compactMap { $0["path"]?.string }
    return Set(paths + [Self.manifest])
  }
}
