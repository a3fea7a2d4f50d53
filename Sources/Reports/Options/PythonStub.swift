/// The types of the Python function `report`: an overload for each report, with its options as keywords.
///
/// `Sources/Python/bandolier/_options.pyi` is this text, made of the declarations of the options.
package enum PythonStub {
  /// Returns the text of the stub.
  package static func text(_ catalog: ReportCatalog) -> String {
    head + catalog.all.filter { !$0.isVerbOfItsOwn }.map { overload($0) }.joined()
  }

  private static let head = """
    # Made from the declarations of the options; a test says how to write it again.
    import datetime
    from typing import Any, Literal, Mapping, Optional, Sequence, Union, overload

    from ._command import ProgressOption
    from ._executable import Path
    from ._report import Report

    _Integer = Union[int, str]
    _Number = Union[float, str]
    _Text = Union[str, float, datetime.datetime, datetime.timedelta, Mapping[str, Any], Path]
    _Texts = Union[_Text, Sequence[_Text]]

    """

  /// The options that every report has: those of selecting events and of writing the table.
  private static let shared: [(String, String)] = [
    ("analysis", "_Text"), ("experiment", "_Texts"), ("since", "_Text"), ("until", "_Text"),
    ("time_zone", "str"),
    ("without_reason", "_Texts"), ("by", "str"), ("jobs", "_Integer"), ("memory", "_Text"),
    ("damaged", "str"), ("merge", "_Texts"), ("columns", "_Texts"), ("wide", "bool"),
    ("spreadsheet_safe", "bool"),
  ]

  private static func overload(_ report: any Report.Type) -> String {
    let own = report.optionInfos.map { (keyword($0.name), type($0)) }
    let lines = (own + shared).map { name, type in "    \(name): \(type) = ...,\n" }
    return """

      @overload
      def report(
          name: Literal["\(report.name)"], log: Union[Path, None] = None, /, *,
          executable: Optional[Path] = ..., progress: ProgressOption = ...,
      \(lines.joined())) -> Report: ...

      """
  }

  /// Returns a name as a keyword: `cap_percentile`, and `lambda_` for a word of the language.
  private static func keyword(_ name: String) -> String {
    let keyword = name.replacing("-", with: "_")
    return ["lambda", "from", "in", "is", "or", "and", "not", "if"].contains(keyword)
      ? keyword + "_" : keyword
  }

  private static func type(_ option: OptionInfo) -> String {
    let value =
      switch option.kind {
      case .flag: "bool"
      case .integer: "_Integer"
      case .number: "_Number"
      case .text where !option.words.isEmpty:
        "Literal[\(option.words.map { "\"\($0)\"" }.joined(separator: ", "))]"
      case .text: option.form == .repeated ? "_Texts" : "_Text"
      }
    guard option.form == .repeated, option.kind != .text || !option.words.isEmpty else {
      return value
    }
    return "Union[\(value), Sequence[\(value)]]"
  }
}
