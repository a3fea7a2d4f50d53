internal import Statistics

extension Specification {
  /// Which of some words a parameter is, by its place among them; the first one when it is not there.
  ///
  /// - Throws: `SpecificationError`: it is none of them.
  func place(of key: String, among words: [String]) throws(SpecificationError) -> Int {
    guard let text = self[key] else { return 0 }
    guard let index = words.firstIndex(of: text) else {
      throw SpecificationError(
        "\(key)=\(text) of \(name) must be one of " + words.joined(separator: ", "))
    }
    return index
  }
}
