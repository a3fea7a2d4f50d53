#if canImport(Darwin)
  /// The type of a socket that carries a stream of bytes.
  package let streamSocket = SOCK_STREAM
  /// The flag of `send` that asks for an error, and no signal, where the other end has closed; 0 where there is none.
  package let sendWithoutSignal: Int32 = 0
#else
  /// The type of a socket that carries a stream of bytes.
  package let streamSocket = Int32(SOCK_STREAM.rawValue)
  /// The flag of `send` that asks for an error, and no signal, where the other end has closed; 0 where there is none.
  package let sendWithoutSignal = Int32(MSG_NOSIGNAL)
#endif
