"""Keys over HTTP, TLS, origins, and where keys must not appear."""

import pathlib
import shutil
import subprocess

import pytest
import requests

from server import Server, bandolier_serve


def places(key):
    return [
        {"params": {"apikey": key}}, {"params": {"apiKey": key}}, {"headers": {"x-mpath-apikey": key}},
        {"headers": {"X-API-Key": key}}, {"headers": {"Authorization": f"Bearer {key}"}},
        {"headers": {"Ocp-Apim-Subscription-Key": key}},
    ]


def test_a_key_is_accepted_wherever_clients_put_it(guarded, keys):
    for place in places(keys["read"]):
        assert guarded.get("/metrics", **place).status_code == 200, place
    for place in places("wrong"):
        assert guarded.get("/metrics", **place).status_code == 401, place


def test_every_route_but_health_and_schemas_needs_a_key_with_its_scope(guarded, keys):
    document = guarded.get("/openapi.json").json()
    checked = 0
    for path, item in document["paths"].items():
        for method, operation in item.items():
            target = path.replace("{", "").replace("}", "")
            answer = requests.request(method, guarded.url + target, timeout=30)
            if "security" not in operation:
                assert path in ("/healthz", "/readyz", "/openapi.json", "/v1/openapi.json") or "schema" in path
                continue
            checked += 1
            assert answer.status_code == 401, (method, path)
            for scope in {"client", "ingest", "read"} - {operation["x-scope"]}:
                answer = requests.request(
                    method, guarded.url + target, headers={"x-api-key": keys[scope]}, timeout=30)
                assert answer.status_code == 403, (method, path, scope)
    assert checked > 10


def test_a_form_and_a_json_body_may_have_the_key(guarded, keys):
    path = "/acme/checkout/decision"
    assert guarded.post(path, data={"apiKey": keys["client"], "session": "s-1"}).status_code == 200
    assert guarded.post(path, json={"apikey": keys["client"], "session": "s-1"}).status_code == 200
    assert guarded.post(path, data={"apiKey": keys["ingest"], "session": "s-1"}).status_code == 403
    assert guarded.post(path, data={"apiKey": "wrong", "session": "s-1"}).status_code == 401
    assert guarded.post(path, data={"session": "s-1"}).status_code == 401


def test_keys_are_revoked_and_created_while_the_service_runs(guarded, keys, key_file):
    bandolier_serve("keys", "revoke", "the-read", "--keys", key_file)
    assert guarded.get("/metrics", headers={"x-api-key": keys["read"]}).status_code == 401
    new = bandolier_serve("keys", "create", "new", "--keys", key_file, "--scope", "read").strip()
    assert guarded.get("/metrics", headers={"x-api-key": new}).status_code == 200
    assert [line.split('"name":"')[1].split('"')[0] for line in
            bandolier_serve("keys", "list", "--keys", key_file).splitlines()] == [
                "the-client", "the-ingest", "the-admin", "new"]


def test_keys_stand_in_no_log_line_and_in_no_file(guarded, keys, tmp_path):
    for key in keys.values():
        for place in places(key):
            guarded.get("/metrics", **place)
            guarded.get(f"/none/{key}", **place)
    guarded.post("/acme/checkout/decision", data={"apiKey": keys["client"], "session": "s-1"})
    guarded.stop()
    names = {line["key"] for line in guarded.requests}
    assert "the-read" in names and None in names
    for key in keys.values():
        assert not [line for line in guarded.lines if key in line]
        for path in pathlib.Path(tmp_path).rglob("*"):
            assert not path.is_file() or key.encode() not in path.read_bytes(), path


def test_a_listed_origin_is_echoed_and_another_gets_no_header(log):
    origin = "https://shop.example"
    with Server(log, "--cors-origin", origin) as server:
        listed = server.get("/healthz", headers={"Origin": origin}).headers
        assert listed["access-control-allow-origin"] == origin
        assert listed["access-control-allow-credentials"] == "true" and "Origin" in listed["vary"]
        preflight = requests.options(
            server.url + "/metrics", headers={"Origin": origin, "Access-Control-Request-Method": "GET"}, timeout=30)
        assert preflight.status_code == 204 and "GET" in preflight.headers["access-control-allow-methods"]
        other = server.get("/healthz", headers={"Origin": "https://other.example"}).headers
        assert not [name for name in other if name.lower().startswith("access-control")]


def test_too_many_requests_are_told_when_to_try_again(log):
    with Server(log, "--rate", "5") as server:
        answers = [server.get("/metrics") for _ in range(30)]
        limited = [answer for answer in answers if answer.status_code == 429]
        assert limited and all(int(answer.headers["retry-after"]) >= 1 for answer in limited)
        assert server.get("/readyz").status_code == 200


@pytest.mark.skipif(not shutil.which("openssl"), reason="there is no openssl to make a certificate with")
def test_tls_with_an_own_certificate(log, keys, key_file, tmp_path):
    certificate, private = tmp_path / "cert.pem", tmp_path / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
         private, "-out", certificate, "-days", "2", "-subj", "/CN=localhost", "-addext",
         "subjectAltName=IP:127.0.0.1,DNS:localhost"], check=True, capture_output=True)
    with Server(log, "--keys", key_file, "--tls-certificate", certificate, "--tls-key", private) as server:
        assert server.url.startswith("https://")
        answer = requests.get(server.url + "/readyz", verify=str(certificate), timeout=30)
        assert answer.status_code == 200


def test_a_file_of_keys_that_is_damaged_or_removed_is_said(guarded, keys, key_file):
    admin = {"headers": {"x-api-key": keys["admin"]}}
    text = key_file.read_text()
    key_file.write_text("{")
    assert guarded.get("/metrics", **admin).status_code == 200
    assert "bandolier_key_file_valid 0" in guarded.get("/metrics", **admin).text
    assert "remain valid" in guarded.get("/readyz").json()["keys"]
    assert len([line for line in guarded.lines if "the file of keys cannot be read" in line]) == 1
    key_file.unlink()
    assert "every key is refused" in guarded.get("/readyz").json()["keys"]
    for key in keys.values():
        assert guarded.get("/metrics", headers={"x-api-key": key}).status_code == 401
    key_file.touch(0o600)
    key_file.write_text(text)
    assert guarded.get("/metrics", **admin).status_code == 200
    assert guarded.get("/readyz").json() == {"status": "ok"}
