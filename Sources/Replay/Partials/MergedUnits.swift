package import EventLog

/// The units of several logs of which only merged states are known: every pass over them takes its results from a
/// ``StateExchange``.
package struct MergedUnits: UnitSource {
  package let exchange: StateExchange?
  private let merged: StateExchange

  package init(_ exchange: StateExchange) {
    self.exchange = exchange
    merged = exchange
  }

  package var jobs: Int { 1 }
  package var memoryLimit: Int? { nil }

  /// The names of all logs.
  package var names: LogNames { merged.names }

  package func units(_ needs: UnitNeeds) throws -> any BucketedUnits {
    NoUnits { [merged] in merged.context }
  }
}
