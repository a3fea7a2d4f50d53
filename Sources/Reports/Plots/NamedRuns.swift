extension Array {
  /// Groups adjacent elements of the same name, in order.
  func inRuns(of name: (Element) -> String) -> [(name: String, parts: [Element])] {
    var runs: [(name: String, parts: [Element])] = []
    for element in self {
      let name = name(element)
      if let last = runs.indices.last, runs[last].name == name {
        runs[last].parts.append(element)
      } else {
        runs.append((name, [element]))
      }
    }
    return runs
  }
}
