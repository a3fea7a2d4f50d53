internal import Replay
internal import Specifications

extension MetricFile.Definition {
  /// The text of one of the ``MetricFile/keys``, as it is written in a file; nil where it is not set.
  func text(of key: String) -> String? {
    let label = metric.label
    switch key {
    case "value": return metric.quantity
    case "title": return label?.title
    case "direction": return metric.direction.rawValue
    case "margin": return label?.margin.map { "\(NumberText.readable($0 * 100))%" }
    case "unit": return label?.unit
    case "decimals": return label?.decimals.map(String.init)
    case "owner": return owner
    case "tags": return tags.isEmpty ? nil : tags.joined(separator: ", ")
    default: return metric.setting(key)
    }
  }
}
