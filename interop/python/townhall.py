"""Somebody who talks on a Valkey stream:  python townhall.py Villager   (server: VALKEY=redis://host:port)
A flow takes part with bus in and bus out in the mode "stream", form "talk", stream "key:townhall"."""

import os
import sys
import time

import redis

STREAM, WINDOW, REPLIES = "townhall", 10, 10


def reply(talk):
    """What it says to the last ten lines; put a model here."""
    last = talk[-1]
    return f"{last['role']} says: {last['text'][:60]} What will it cost?"


def take_part(server, role, pause_seconds):
    try:  # One group for each role: everybody hears everything.
        server.xgroup_create(STREAM, role, id="$", mkstream=True)
    except redis.ResponseError as error:
        if "BUSYGROUP" not in str(error):
            raise
    print("listening", flush=True)
    said = 0
    while said < REPLIES:
        # A time limit, for a connection that waits for ever isn't noticed when it is lost.
        batch = server.xreadgroup(role, role, {STREAM: ">"}, count=WINDOW, block=5000)
        entries = batch[0][1] if batch else []
        for entry, _ in entries:
            server.xack(STREAM, role, entry)
        heard = [fields for _, fields in entries if fields.get("role") and fields.get("text")]
        if not heard or heard[-1]["role"] == role:
            continue
        missing = WINDOW - len(heard)
        older = server.xrevrange(STREAM, max=f"({entries[0][0]}", count=missing) if missing else []
        talk = [fields for _, fields in reversed(older) if fields.get("role") and fields.get("text")] + heard
        server.xadd(STREAM, {"role": role, "text": reply(talk)})
        said += 1
        time.sleep(pause_seconds)


if len(sys.argv) != 2:
    print(__doc__, file=sys.stderr)
    sys.exit(2)
try:
    address = os.environ.get("VALKEY", "redis://127.0.0.1:6379")
    server = redis.Redis.from_url(address, decode_responses=True, socket_connect_timeout=10)
    take_part(server, sys.argv[1], float(os.environ.get("PAUSE", "10")))
except (redis.RedisError, ValueError) as error:  # No server there, a wrong password, an address that is none.
    sys.exit(f"It does not go on: {error}")
except KeyboardInterrupt:
    sys.exit(130)
