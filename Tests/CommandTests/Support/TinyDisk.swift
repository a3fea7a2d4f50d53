import Foundation
import Platform
import TestSupport

/// A file system of a few pages in memory, mounted for one test.
final class TinyDisk {
  /// Whether this process may mount file systems; tried once, because being root is not enough in a container.
  static let isAllowed: Bool = {
    guard getuid() == 0, let disk = try? TinyDisk(kibibytes: 64) else { return false }
    return disk.isMounted
  }()

  /// Where it is mounted.
  let path: String
  private let folder: TemporaryFolder
  private var isMounted = false

  init(kibibytes: Int) throws {
    folder = try TemporaryFolder()
    path = folder.path("disk")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    // Safety: the texts outlive the call; tmpfs takes its options as a text.
    isMounted = unsafe mount("bandolier-tests", path, "tmpfs", 0, "size=\(kibibytes)k") == 0
  }

  deinit {
    // Safety: the path is a copy for the call. A lazy unmount also works while a file is open.
    if isMounted { _ = unsafe umount2(path, Int32(MNT_DETACH)) }
  }

  /// Gives it another size.
  func resize(kibibytes: Int) -> Bool {
    // Safety: as above.
    unsafe mount("bandolier-tests", path, "tmpfs", UInt(MS_REMOUNT), "size=\(kibibytes)k")
      == 0
  }
}
