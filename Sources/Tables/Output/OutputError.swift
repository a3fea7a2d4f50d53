import Platform
package import Specifications

/// An error of writing output.
public struct OutputError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public enum Code: String, CaseIterable, Sendable {
    /// The file exists and was not to be replaced.
    case exists
    /// The file could not be opened or created.
    case cannotCreate
    /// The file was open but could not be written.
    case ioError
    /// The reader of the output has gone; programs usually exit silently.
    case brokenPipe
  }

  /// The kind of failure.
  public let code: Code

  /// The fault, its place and its remedy, in one line.
  public let message: String

  /// The system's error number; 0 for none.
  public let systemError: Int32

  public var description: String { message }

  init(_ code: Code, _ message: String, systemError: Int32 = 0) {
    self.code = code
    self.message = message
    self.systemError = systemError
  }

  /// Returns the error for an existing file that was not to be replaced.
  static func exists(_ path: String) -> OutputError {
    OutputError(
      .exists, "\(TerminalText.escaped(path)) exists; give --force to replace it",
      systemError: EEXIST)
  }

  /// Returns the error for a file that could not be created.
  static func cannotCreate(_ path: String, _ error: SystemError) -> OutputError {
    let shown = TerminalText.escaped(path)
    return OutputError(
      .cannotCreate, "cannot create \(shown): \(error.reason)", systemError: error.number)
  }

  /// Returns the error for output that could not be written, or whose reader has gone.
  static func failed(_ path: String, _ error: SystemError) -> OutputError {
    let shown = TerminalText.escaped(path)
    if error.number == EPIPE {
      return OutputError(
        .brokenPipe, "\(shown): the reader has gone; nothing to mend", systemError: EPIPE)
    }
    return OutputError(
      .ioError, "cannot write \(shown): \(error.reason)", systemError: error.number)
  }
}

/// An error number of the system.
///
/// Descriptions are our own: those of the C library depend on the locale and suggest no remedy.
package struct SystemError: Error, Equatable {
  package let number: Int32

  package var reason: String {
    switch number {
    case EACCES, EPERM: "permission denied; choose another place or change its permissions"
    case ENOENT: "the directory does not exist; make it first (mkdir -p)"
    case ENOTDIR: "a part of the path is not a directory; choose another path"
    case EISDIR: "it is a directory; give the name of a file"
    case EROFS: "the file system is read-only; choose another place"
    case ENOSPC, EDQUOT: "no space left; make room or choose another place"
    case EFBIG: "the file is too large for the file system or the limit set (ulimit -f)"
    case ENAMETOOLONG: "the name is too long; give a shorter one"
    case ELOOP: "too many symbolic links; give the path of the file itself"
    case EMFILE, ENFILE: "too many open files; raise the limit (ulimit -n)"
    case ETXTBSY: "it is a program that is running; choose another name"
    case EINVAL: "the name or the operation is not possible there; choose another place"
    case EIO: "the device failed; check it and try again"
    case ENXIO, ENODEV: "there is nothing to write to; choose another place"
    case EBADF: "it is not open for writing; open it or choose another place"
    default: "system error \(number); choose another place or try again"
    }
  }
}

extension OutputError: ExitCoded {
  package var exitCode: ExitCode {
    switch code {
    case .exists, .cannotCreate: .cannotCreate
    case .ioError: .inputOutput
    case .brokenPipe: .brokenPipe
    }
  }
}
