import Deciding
import Events
import Foundation
import TestSupport

/// Agents behind the routes that clients call, written apart from the service: a path and a body
/// become an item of a batch.
struct AgentsOverHTTP: Sendable {
  let agents: Agents

  func respond(to request: TestHTTPServer.Request) -> TestHTTPServer.Response {
    do {
      let call = try agentRequest(request)
      return .init(text: try LocalAgents(agents).reply(to: call).json(explained: true).description)
    } catch let error as AgentError {
      let isUnknown = error.word.hasPrefix("unknown") || error.word == "service"
      let status = isUnknown ? 404 : error.word == "not-recorded" ? 503 : 400
      return .init(status, text: error.json.description)
    } catch {
      return .init(400, text: JSONValue.object(["err": .string("\(error)")]).description)
    }
  }

  struct Unreadable: Error { var target: String }

  private func agentRequest(_ request: TestHTTPServer.Request) throws -> AgentRequest {
    let target = request.target.split(separator: "?", maxSplits: 1).map(String.init)
    let segments = target[0].split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .map { $0.removingPercentEncoding ?? "" }
    guard segments.count >= 3 else { throw Unreadable(target: request.target) }
    let body = try JSONValue(parsing: request.body)
    let (agent, verb, rest) = (segments[1], segments[2], Array(segments.dropFirst(3)))
    if agent == "-", verb == "batch" {
      return AgentRequest(owner: segments[0], body: .batch(try body.decoded()))
    }
    var item: JSONObject = ["type": .string(verb), "query": body]
    if agent != "-" || verb != "goal" { item["agent"] = .string(agent) }
    for name in ["choice", "sessions"] { item[name] = body[name] }
    switch verb {
    case "decision":
      let slots = rest.first.flatMap { ChoiceText(pathSegment: $0)?.slots }
      item["choices"] = slots.map(Self.list) ?? body["choices"]
    case "decisions":
      item["choices"] = rest.isEmpty ? body["choices"] : Self.list(ChoiceText(parts: rest).slots)
    default: item["goal"] = rest.first.map { .string($0) }
    }
    return AgentRequest(owner: segments[0], body: .call(try JSONValue.object(item).decoded()))
  }

  private static func list(_ slots: [SlotChoices]) -> JSONValue {
    .array(
      slots.map { slot in
        let codes = (slot.choices ?? []).map { JSONValue.string($0) }
        return ["slot": .string(slot.slot), "choices": .array(codes)]
      })
  }
}
