/// The folder in which bytes are kept that a log can no longer use. What is there is never read, and never
/// deleted but by whoever erases.
enum Quarantine {
  /// Copies a part of a file into the quarantine of a log, durably.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - start: The byte at which the part begins.
  ///   - byteCount: How many bytes it has; all that follow when nil.
  ///   - folder: The folder of the log.
  ///   - disk: The disk of both.
  /// - Returns: The path of the copy: `quarantine/FILE-BYTE-N`, N being the first number that is free.
  /// - Throws: ``LogError`` when the copy cannot be made.
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
  /// - Returns: How many files there were.
  static func empty(in folder: String, _ disk: any Disk) throws(LogError) -> Int {
    let quarantine = folder + "/" + LogDirectory.quarantineName
    let names = try disk.list(quarantine) ?? []
    for name in names { try disk.remove(quarantine + "/" + name) }
    if !names.isEmpty { try disk.syncFolder(quarantine) }
    return names.count
  }
}
