import ArgumentParser

/// The option of verbs that take events of others.
struct PlaceholderOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Keep records whose unit is NULL, None, undefined, (not set) or the like, as one unit for each such text "
        + "(default: refuse them)."))
  var keepPlaceholderUnits = false
}
