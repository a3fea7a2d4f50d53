/// Returns the system's words for an error number, such as "No such file or directory".
package func systemMessage(_ number: Int32) -> String {
  // Safety: strerror returns a text that lives until the next call on this thread; it is copied here.
  unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
}
