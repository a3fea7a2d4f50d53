"""The service behind the clients of others, unmodified."""

from server import events


def test_openfeature_over_ofrep(guarded, keys):
    from openfeature import api
    from openfeature.contrib.provider.ofrep import OFREPProvider
    from openfeature.evaluation_context import EvaluationContext

    provider = OFREPProvider(guarded.url, headers_factory=lambda: {"X-API-Key": keys["client"]})
    api.set_provider_and_wait(provider)
    client = api.get_client()
    context = EvaluationContext(targeting_key="u-1")
    details = client.get_integer_details("search", 1, context)
    assert (details.value, details.variant, details.error_code) == (20, "on", None)
    assert details.reason in {"STATIC", "DEFAULT", "TARGETING_MATCH", "SPLIT", "CACHED", "DISABLED", "UNKNOWN"}
    assert client.get_boolean_value("banner", True, context) is False
    choice = client.get_string_value("checkout", "none", context)
    assert choice in ("blue", "green")
    assert all(client.get_string_value("checkout", "none", context) == choice for _ in range(5))
    missing = client.get_boolean_details("nothing", True, context)
    assert missing.value is True and missing.error_code.value == "FLAG_NOT_FOUND"
    without = client.get_boolean_details("search", True, EvaluationContext())
    assert without.value is True and without.error_code.value == "TARGETING_KEY_MISSING"
    guarded.stop()
    decisions = [event for event in events(guarded.log) if event["type"] == "decision"]
    assert len([event for event in decisions if event["experiment"] == "checkout"]) == 1


def test_go_feature_flag_remotely(server):
    from gofeatureflag_python_provider.options import EvaluationType, GoFeatureFlagOptions
    from gofeatureflag_python_provider.provider import GoFeatureFlagProvider
    from openfeature import api
    from openfeature.evaluation_context import EvaluationContext

    options = {"endpoint": server.url, "evaluation_type": EvaluationType.REMOTE}
    provider = GoFeatureFlagProvider(options=GoFeatureFlagOptions(**options))
    api.set_provider_and_wait(provider)
    context = EvaluationContext(targeting_key="u-1", attributes={"country": "FR"})
    details = api.get_client().get_integer_details("search", 1, context)
    assert (details.value, details.variant) == (20, "on")
    assert api.get_client().get_boolean_value("banner", True, context) is False
    api.shutdown()


def test_azure_personalizer(guarded, keys):
    from azure.cognitiveservices.personalizer import PersonalizerClient
    from azure.cognitiveservices.personalizer.models import RankableAction, RankRequest
    from msrest.authentication import CognitiveServicesCredentials

    client = PersonalizerClient(
        f"{guarded.url}/acme/articles", CognitiveServicesCredentials(keys["client"]))
    actions = [RankableAction(id=name, features=[{"topic": name}]) for name in ("pasta", "salad", "juice")]
    request = RankRequest(
        actions=actions, context_features=[{"time": "morning"}], excluded_actions=["juice"], event_id="e-1")
    ranking = client.rank(request)
    assert ranking.event_id == "e-1" and ranking.reward_action_id in ("pasta", "salad")
    assert sorted(action.id for action in ranking.ranking) == ["juice", "pasta", "salad"]
    assert abs(sum(action.probability for action in ranking.ranking) - 1) < 1e-9
    client.events.reward("e-1", value=1.0)
    deferred = RankRequest(actions=actions, event_id="e-2", defer_activation=True)
    assert client.rank(deferred).reward_action_id
    client.events.activate("e-2")
    guarded.stop()
    kinds = [event["type"] for event in events(guarded.log) if event.get("unit") in ("e-1", "e-2")]
    assert kinds.count("decision") == 2 and "goal" in kinds


def test_the_first_requests_of_the_conductrics_clients(guarded, keys):
    key = keys["client"]
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    jquery = guarded.post("/acme/checkout/decisions/2", data=f"apiKey={key}&session=s-1", headers=form)
    assert jquery.status_code == 200 and "err" not in jquery.json()
    batch = '[{"agent":"checkout","type":"decision"},{"agent":"checkout","type":"goal"},{"agent":"","type":"x"}]'
    wrapper = guarded.post(
        f"/acme/-/batch?apikey={key}&_type=json", data=batch, headers={"Content-Type": "text/plain"})
    items = wrapper.json()
    assert len(items) == 3 and items[2]["err"]
    assert items[0]["data"]["session"] == items[1]["data"]["session"]
    goal = guarded.post(f"/acme/checkout/goal/goal-1?apikey={key}&session=s-1&reward=2", data="")
    assert goal.status_code == 200 and "value" in goal.json()
