import ArgumentParser

/// An option of the command line, where the option of a study could be meant too.
typealias Option = ArgumentParser.Option
