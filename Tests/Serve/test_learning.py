"""The loop: decisions at random record their inputs, a policy is learned from the log, and decides by them."""

import json

from server import Server, bandolier, events


def decide(server, session, country, **options):
    body = {"session": session, "choices": ["A", "B"], "inputs": {"place": {"country": country}, "age": 33}, **options}
    answer = server.post("/acme/promo/decision", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_first_policy_is_learned_from_the_inputs_of_decisions_at_random(log, tmp_path):
    best = {"SE": "A", "DE": "B"}
    with Server(log, "--owner", "acme") as server:
        for number in range(600):
            country = "SE" if number % 2 else "DE"
            choice = decide(server, f"s-{number}", country)["decision"]
            if choice == best[country]:
                server.post("/acme/promo/goal", data={"session": f"s-{number}"})
        server.stop()
    decisions = [event for event in events(log) if event["type"] == "decision"]
    assert all(event["context"].keys() == {"age", "place.country"} for event in decisions)
    policy = tmp_path / "policy.json"
    bandolier("learn", log, "--experiment", "promo", "--policy-class", "softmax-linear",
              "--features", "cross(place.country,variant)", "-o", policy)
    config = tmp_path / "agents.json"
    config.write_text(json.dumps(
        {"agents": [{"agent": "promo", "learnedPolicy": json.loads(policy.read_text()), "controlShare": 0}]}))
    with Server(log, "--owner", "acme", "--config", config) as server:
        for country, choice in best.items():
            for number in range(3):
                answer = decide(server, f"new-{country}-{number}", country, explain=True)
                chances = dict(zip(answer["choices"], answer["probabilities"]))
                assert chances[choice] > 0.7, (country, answer)


def test_inputs_are_not_recorded_where_the_operator_says_so(log):
    with Server(log, "--owner", "acme", "--record-inputs", "age") as server:
        decide(server, "s-1", "SE")
        server.stop()
    assert [event["context"] for event in events(log) if event["type"] == "decision"] == [{"age": 33}]
