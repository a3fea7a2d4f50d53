"""What schemathesis has to be told of the interface: how JSON Lines are sent."""

import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def json_lines(context, value):
    """A text as it is; what ought not to be there, such as a number, as a line of JSON."""
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", errors="surrogatepass")
