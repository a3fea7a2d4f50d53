public import Specifications

/// The interval methods that a specification such as `bootstrap:replicates=1000` can name.
///
/// ``Catalog/standard`` has the built-in ones. A program with methods of its own adds them with ``Catalog/adding(_:)``.
public typealias IntervalCatalog = Catalog<SpecifiedEntry<any IntervalMethod, Void>>

extension IntervalCatalog {
  /// The built-in methods.
  public static var standard: IntervalCatalog { IntervalMethods.catalog }

  /// Returns the catalog with a method added, replacing any method of the same name.
  public func adding(_ type: any IntervalMethod.Type) -> IntervalCatalog {
    adding(Self.entry(type))
  }

  fileprivate static func entry(_ type: any IntervalMethod.Type) -> Entry { made(type) }

  private static func made<M: IntervalMethod>(_ type: M.Type) -> Entry { Entry(type) { $0 } }
}

/// The built-in methods. Each is one file and one entry here.
private enum IntervalMethods {
  static let catalog = IntervalCatalog(
    of: "interval method",
    [
      NormalInterval.self, StudentInterval.self, BootstrapInterval.self,
      EmpiricalBernsteinInterval.self, HoeffdingInterval.self, ClopperPearsonInterval.self,
      CressieReadInterval.self, ConfidenceSequence.self, BernsteinSequence.self,
      OffPolicySequence.self,
    ].map(IntervalCatalog.entry))
}
