"""Sends orders with a published library: its module, the address, the key, how many, and `gzip` or `plain`."""

import importlib
import sys

module, url, key, count, how = sys.argv[1:]
client = importlib.import_module(module)
client.write_key = key
client.gzip = how == "gzip"
failures = []
client.on_error = lambda error, messages: failures.append(error)
if module.startswith("rudderstack"):
    client.dataPlaneUrl = url
else:
    client.host = url

for i in range(int(count)):
    client.track(
        f"user-{i}",
        "Order Completed",
        {"order_id": f"o-{i}", "revenue": (100 + i) / 100, "currency": "EUR"},
        context={"ip": "203.0.113.7", "traits": {"email": f"u{i}@example.com"}},
    )
client.identify("u", {"email": "a@example.com"})
client.page("u", "web", "Home")
client.screen("u", "app", "Cart")
client.group("u", "g")
client.alias("v", "u")
client.shutdown()
if failures:
    sys.exit(f"{len(failures)} failed: {failures[0]}")
