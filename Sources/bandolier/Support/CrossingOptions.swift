import ArgumentParser
import Replay

/// What becomes of units that were seen in several variants.
struct CrossingOptions: ParsableArguments {
  @Flag(
    help:
      "Keep units that were seen in several variants of a slot, at the first; else they are left out."
  )
  var keepCrossed = false

  var crossing: Attribution.Crossing { keepCrossed ? .first : .drop }
}
