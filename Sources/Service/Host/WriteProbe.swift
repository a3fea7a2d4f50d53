internal import EventLog

/// Finds out whether the disk of a log can be written, before the systems are rebuilt.
enum WriteProbe {
  private static let name = "PROBE"
  /// More than the first frames of a log that is open again need.
  private static let byteCount = 1 << 18

  /// Writes a file into the log's folder, makes it durable, and removes it.
  ///
  /// - Throws: ``LogError`` if that fails, as on a full disk.
  static func run(_ options: ServiceOptions) throws(LogError) {
    let (disk, path) = (options.disk, options.log + "/" + name)
    if try disk.list(options.log)?.contains(name) == true { try disk.remove(path) }
    let result = Result { () throws(LogError) in
      let file = try disk.create(path, like: [options.log])
      try file.write([UInt8](repeating: 0, count: byteCount), at: 0)
      try file.sync()
    }
    try? disk.remove(path)
    try result.get()
  }
}
