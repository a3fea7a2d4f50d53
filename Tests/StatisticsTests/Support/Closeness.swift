/// The distance of two numbers relative to the second one, or absolute if that is zero.
func relativeError(_ x: Double, _ reference: Double) -> Double {
  x == reference ? 0 : abs(x - reference) / (reference == 0 ? 1 : abs(reference))
}
