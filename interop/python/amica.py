"""Asks a house over A.M.I.C.A.'s topics:  python amica.py ask "turn the hall light on"
Answers everybody who asks there:          python amica.py answer "I am Python."   (broker: BROKER=mqtt://host:port)"""

import json
import os
import sys
import threading
import uuid
from datetime import datetime, timezone
from urllib.parse import unquote, urlsplit

import paho.mqtt.client as mqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

REQUESTS = "/es/nachobrito/amica/user/request/v1"
REPLIES = "/es/nachobrito/amica/replies/"
EVENTS = "/es/nachobrito/amica/system/event/v1"
CLASSES = "es.nachobrito.amica.domain.model.message.payload."
done = threading.Event()


def send(client, topic, kind, body, conversation, message=None):
    properties = Properties(PacketTypes.PUBLISH)
    properties.UserProperty = [
        ("MESSAGE_ID", message or str(uuid.uuid4())),
        ("CONVERSATION_ID", conversation),
        ("PAYLOAD_TYPE", CLASSES + kind),
    ]
    client.publish(topic, json.dumps(body), qos=1, properties=properties)


def now():
    return datetime.now(timezone.utc).isoformat()


def ask(client, sentence):
    request, conversation = str(uuid.uuid4()), str(uuid.uuid4())

    def on_subscribe(*_):  # Only now: an answer may come at once.
        body = {"dateTime": now(), "userName": os.environ.get("USER", "somebody"), "message": sentence}
        send(client, REQUESTS, "UserRequest", body, conversation, request)

    def on_message(_client, _data, message):
        part = json.loads(message.payload)
        print(part["message"], end="", flush=True)
        if part.get("isComplete"):
            print("\n---")
            done.set()

    client.on_subscribe, client.on_message = on_subscribe, on_message
    client.on_connect = lambda *_: client.subscribe(REPLIES + request, qos=1)


def answer(client, text):
    def on_message(_client, _data, message):
        envelope = dict(message.properties.UserProperty)
        conversation = envelope["CONVERSATION_ID"]
        body = {"message": text, "dateTime": now(), "isComplete": True, "sequenceNumber": {"value": 1}}
        send(client, REPLIES + envelope["MESSAGE_ID"], "AgentResponse", body, conversation)
        send(client, EVENTS, "ConversationEnded", {"conversationId": conversation}, str(uuid.uuid4()))

    client.on_message = on_message
    client.on_connect = lambda *_: client.subscribe(REQUESTS, qos=1)
    client.on_subscribe = lambda *_: print("listening", flush=True)


client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
client.suppress_exceptions = True  # A message in no right form would end this program;
client.enable_logger()  # so it is only told.
broker = urlsplit(os.environ.get("BROKER", "mqtt://127.0.0.1:1883"))
if broker.username:
    client.username_pw_set(unquote(broker.username), unquote(broker.password or ""))
{"ask": ask, "answer": answer}[sys.argv[1]](client, sys.argv[2])
client.connect(broker.hostname, broker.port or 1883)
client.loop_start()
sys.exit(0 if done.wait(60 if sys.argv[1] == "ask" else None) else 1)
