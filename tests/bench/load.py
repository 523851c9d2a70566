"""The load generator: posts prepared rounds over a fixed number of connections, from outside.

A process of its own, so that it shares nothing with the server but the machine. Reads its order
from standard input and writes what it measured to standard output, both JSON.
"""

import http.client
import json
import sys
import threading
import time
from collections import deque
from typing import Any

ANSWER_SECONDS_MAX = 30


def post_all(order: dict[str, Any]) -> dict[str, Any]:
    """Post until the rounds or the time run out; returns latencies, statuses and the time used.

    `order` names port, token, connections, seconds and bodies (encoded rounds).
    """
    bodies = deque(order["bodies"])
    latencies: list[float] = []
    statuses: dict[int, int] = {}
    noting = threading.Lock()
    begin = time.perf_counter()
    end = begin + order["seconds"]

    def run() -> None:
        connection = http.client.HTTPConnection(
            "127.0.0.1", order["port"], timeout=ANSWER_SECONDS_MAX
        )
        headers = {
            "Authorization": f"Token {order['token']}",
            "Content-Type": "application/json",
            "X-Forwarded-Proto": "https",
        }
        while time.perf_counter() < end:
            try:
                body = bodies.popleft()
            except IndexError:
                break
            sent = time.perf_counter()
            connection.request("POST", "/api/v1/rounds/", body, headers)
            response = connection.getresponse()
            response.read()
            seconds = time.perf_counter() - sent
            with noting:
                latencies.append(seconds)
                statuses[response.status] = statuses.get(response.status, 0) + 1
        connection.close()

    threads = [threading.Thread(target=run) for _ in range(order["connections"])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {
        "seconds": time.perf_counter() - begin,
        "latencies": latencies,
        "statuses": statuses,
        "unused": len(bodies),
    }


if __name__ == "__main__":
    json.dump(post_all(json.load(sys.stdin)), sys.stdout)
