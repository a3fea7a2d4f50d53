internal import Platform

func openDescriptor(_ place: FilePlace, _ flags: Int32, mode: mode_t = 0o644) -> Int32 {
  // Safety: openat reads the path up to its terminator and keeps no pointer.
  retrying { unsafe openat(place.folder, place.name, flags | O_CLOEXEC, mode) }
}

func retrying(_ call: () -> Int32) -> Int32 {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}

func systemError(_ code: LogError.Code, _ doing: String, _ path: String) -> LogError {
  let number = errno
  let words = systemMessage(number)
  let remedy =
    switch number {
    case ENOSPC, EDQUOT: "; free some space and try again"
    case EACCES, EPERM, EROFS: "; check who may write there"
    case EFBIG: "; the limit on the size of files is too low: raise it (ulimit -f)"
    case ENOENT where code == .cannotCreate: "; make the folder above it first (mkdir -p)"
    case ENOTDIR: "; name the folder of a log"
    case EMFILE, ENFILE: "; raise the limit on open files (ulimit -n)"
    case EIO: "; check the device"
    default: ""
    }
  return LogError(code, "\(doing): \(words)\(remedy)", path: path)
}
