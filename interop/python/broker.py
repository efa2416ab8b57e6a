"""For agent.py and amica.py: one connection to the broker that BROKER names (mqtt://[user:password@]host:port)."""

import os
import queue
import sys
import threading
from urllib.parse import unquote, urlsplit

import paho.mqtt.client as mqtt

SECONDS_TO_CONNECT = 10
ended = queue.SimpleQueue()  # Gets None when all is done, or a line on what went wrong.


def misused(usage):
    print(usage, file=sys.stderr)
    sys.exit(2)


def new_client():
    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
    client.suppress_exceptions = True  # A message in no right form would end this program;
    client.enable_logger()  # so it is only told.
    return client


def connect(client):
    try:
        broker = urlsplit(os.environ.get("BROKER", "mqtt://127.0.0.1:1883"))
        host, port = broker.hostname, broker.port or 1883
    except ValueError:
        host = None
    if not host or broker.scheme != "mqtt":
        sys.exit("BROKER is an address such as mqtt://127.0.0.1:1883.")
    if broker.username:
        client.username_pw_set(unquote(broker.username), unquote(broker.password or ""))
    try:
        client.connect(host, port)
    except OSError as error:
        sys.exit(f"No broker answers at {host}:{port}: {error.strerror or error}.")


def run(client, topic, subscribed, seconds=None):
    """Listens to the topic, and calls `subscribed` after each connect. Ends with what `ended` gets, or after the time."""

    is_let_in = threading.Event()
    has_published = threading.Event()

    def refused(what, reason):
        ended.put(f"The broker refuses {what}: {reason}.")

    def on_connect(_client, _data, _flags, reason, _properties):
        if reason.is_failure:
            return refused("the connection", reason)
        is_let_in.set()
        client.subscribe(topic, qos=1)

    def on_subscribe(_client, _data, _id, reasons, _properties):
        refused(f"to let us hear {topic}", reasons[0]) if reasons[0].is_failure else subscribed()

    def on_publish(_client, _data, _id, reason, _properties):
        if reason.is_failure and not has_published.is_set():  # Later, one of many answers is no reason to end.
            refused("the request" if seconds else "our first message", reason)
        has_published.set()

    client.on_connect, client.on_subscribe, client.on_publish = on_connect, on_subscribe, on_publish
    connect(client)
    client.loop_start()
    try:
        try:
            sys.exit(ended.get(timeout=SECONDS_TO_CONNECT))
        except queue.Empty:
            if not is_let_in.is_set():
                sys.exit("The broker does not answer.")
        sys.exit(ended.get(timeout=seconds))
    except queue.Empty:
        sys.exit(f"No answer came within {seconds + SECONDS_TO_CONNECT} seconds.")
    except KeyboardInterrupt:
        sys.exit(130)
