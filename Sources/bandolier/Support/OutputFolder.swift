import Platform

/// The folder of files that a verb writes.
enum OutputFolder {
  /// Creates the folder unless it exists.
  static func create(_ path: String) throws {
    // Safety: the path is a terminated copy for the call.
    guard unsafe mkdir(path, 0o777) != 0, errno != EEXIST else { return }
    throw Failure(
      exitCode: Failure.cannotCreate,
      "\(path): the folder cannot be created; check that the one around it exists and can be written"
    )
  }
}
