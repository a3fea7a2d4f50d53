/// The least data of methods that remain valid at every look but rest on a normal approximation, whose errors at looks
/// that are earlier would add up.
public enum SequentialRule {
  /// The minimum number of units, of each variant where variants are compared.
  public static let leastUnits = 20
  /// The minimum number of units with a nonzero value; for values of 0 and 1 also of units with value 0.
  public static let leastEvents = 5
}
