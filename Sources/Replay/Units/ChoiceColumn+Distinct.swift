internal import EventLog

extension ChoiceColumn {
  /// Returns the variants of a list, each once, in the order of their first places: a list may name a variant twice.
  func distinctVariants(of number: UInt32) -> [UInt32] {
    var seen: Set<UInt32> = []
    return variants(of: number).filter { seen.insert($0).inserted }
  }
}
