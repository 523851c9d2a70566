# ruff: noqa: INP001  (a program of the image, not a module of the product)
"""Whether the web server of this container answers; the exit status says so."""

import http.client
import os
import sys

ANSWER_SECONDS_MAX = 5


def main() -> int:
    """Ask as the proxy in front would, for a host that production settings allow."""
    host = os.environ.get("ALLOWED_HOSTS", "localhost").split(",")[0].removeprefix(".")
    connection = http.client.HTTPConnection("127.0.0.1", 8000, timeout=ANSWER_SECONDS_MAX)
    headers = {"Host": host, "X-Forwarded-Proto": "https"}
    try:
        connection.request("GET", "/sign-in/", headers=headers)
        status = connection.getresponse().status
    except OSError:
        return 1
    finally:
        connection.close()
    return int(status >= http.HTTPStatus.INTERNAL_SERVER_ERROR)


if __name__ == "__main__":
    sys.exit(main())
