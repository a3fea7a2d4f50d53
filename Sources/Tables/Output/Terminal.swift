import Platform

/// Properties of the terminal behind a descriptor.
package enum Terminal {
  /// Returns whether the descriptor is a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Returns the width of the terminal in columns; nil if there is no terminal or its width is unknown.
  package static func width(_ descriptor: Int32) -> Int? {
    var size = winsize()
    // Safety: the request fills exactly one winsize, which outlives the call.
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }
}
