import Glibc

/// What is known of the terminal behind a descriptor.
public enum Terminal {
  /// Whether the descriptor is a terminal.
  public static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The columns of the terminal behind the descriptor; nil when there is none or it does not say.
  public static func width(_ descriptor: Int32) -> Int? {
    var size = winsize()
    // Safety: the request fills exactly one winsize, which outlives the call.
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }

  /// Nanoseconds of a clock that never goes back, for progress lines and nothing else.
  public static func monotonicNanoseconds() -> UInt64 {
    var now = timespec()
    // Safety: now outlives the call.
    guard unsafe clock_gettime(CLOCK_MONOTONIC, &now) == 0 else { return 0 }
    return UInt64(clamping: now.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: now.tv_nsec)
  }
}
