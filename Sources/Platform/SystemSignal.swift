/// Whether a signal is ignored or has a handler, rather than its usual effect.
package func isHandled(_ signal: Int32) -> Bool {
  var action = sigaction()
  // Safety: the structure outlives the call, which writes nothing else. The default handler is null.
  unsafe sigaction(signal, nil, &action)
  #if canImport(Glibc)
    return unsafe action.__sigaction_handler.sa_handler != nil
  #elseif canImport(Musl)
    return unsafe action.__sa_handler.sa_handler != nil
  #else
    return unsafe action.__sigaction_u.__sa_handler != nil
  #endif
}
