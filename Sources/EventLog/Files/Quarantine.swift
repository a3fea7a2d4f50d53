/// The folder that keeps bytes which a log can no longer use. Its contents are never read, and only deleted by an
/// erasure.
enum Quarantine {
  /// Copies a part of a file into the quarantine of a log, durably.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - start: The offset at which the part begins.
  ///   - byteCount: The length of the part; nil for the rest of the file.
  ///   - folder: The folder of the log.
  ///   - disk: The disk of both.
  /// - Returns: The path of the copy: `quarantine/FILE-BYTE-N`, N being the first number that is free.
  /// - Throws: ``LogError`` if the copy cannot be made.
  static func copy(
    _ file: any DiskFile, from start: UInt64 = 0, byteCount: UInt64? = nil, in folder: String,
    _ disk: any Disk
  ) throws(LogError) -> String {
    let size = try file.size()
    let byteCount = byteCount ?? size - min(start, size)
    let quarantine = folder + "/" + LogDirectory.quarantineName
    try disk.createFolder(quarantine, like: folder)
    try disk.syncFolder(folder)
    let taken = Set(try disk.list(quarantine) ?? [])
    let name = String(file.path.split(separator: "/").last ?? "segment")
    var number = 1
    while taken.contains("\(name)-\(start)-\(number)") { number += 1 }
    let copy = try disk.create("\(quarantine)/\(name)-\(start)-\(number)", like: [file.path])
    var done: UInt64 = 0
    while done < byteCount {
      let part = try file.read(at: start + done, count: Int(min(byteCount - done, 1 << 20)))
      guard !part.isEmpty else { break }
      try copy.write(part, at: done)
      done += UInt64(part.count)
    }
    try copy.sync()
    try disk.syncFolder(quarantine)
    return copy.path
  }

  /// Removes everything from the quarantine of a log.
  ///
  /// - Returns: The number of files that were removed.
  static func empty(in folder: String, _ disk: any Disk) throws(LogError) -> Int {
    let quarantine = folder + "/" + LogDirectory.quarantineName
    let names = try disk.list(quarantine) ?? []
    for name in names { try disk.remove(quarantine + "/" + name) }
    if !names.isEmpty { try disk.syncFolder(quarantine) }
    return names.count
  }
}
