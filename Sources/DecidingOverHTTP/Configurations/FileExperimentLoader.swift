public import DecidingExperiments

/// A loader of site configurations from files. A file is read at every load, so that a started
/// client takes up changes.
public struct FileExperimentLoader: ExperimentLoader {
  private let file: ConfigurationFile

  /// Creates a loader.
  ///
  /// - Parameter path: The path of a configuration, with `{siteCode}` in place of the site's code,
  ///   which is percent-encoded; a path without it is that of the only site.
  public init(_ path: String) {
    file = ConfigurationFile(path, placeholder: "siteCode")
  }

  /// Loads the configuration of a site.
  ///
  /// - Throws: ``ConfigurationFileError``; `ExperimentError.loadFailed` when there is no such file;
  ///   `ExperimentError.invalidConfiguration` when it is invalid.
  public func load(siteCode: String) async throws -> ExperimentConfiguration {
    guard let bytes = try file.bytes(of: siteCode) else {
      throw ExperimentError.loadFailed("there is no file \"\(file.path(of: siteCode))\"")
    }
    return try ExperimentConfiguration(bytes: bytes)
  }
}
