"""Asks a house over A.M.I.C.A.'s topics:  python amica.py ask "turn the hall light on"
Answers everybody who asks there:          python amica.py answer "I am Python."   (broker: BROKER=mqtt://host:port)"""

import json
import os
import sys
import uuid
from datetime import datetime, timezone

from broker import ended, misused, new_client, run
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

REQUESTS = "/es/nachobrito/amica/user/request/v1"
REPLIES = "/es/nachobrito/amica/replies/"
EVENTS = "/es/nachobrito/amica/system/event/v1"
CLASSES = "es.nachobrito.amica.domain.model.message.payload."


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

    def subscribed():  # Only now: an answer may come at once.
        body = {"dateTime": now(), "userName": os.environ.get("USER", "somebody"), "message": sentence}
        send(client, REQUESTS, "UserRequest", body, conversation, request)

    def on_message(_client, _data, message):
        part = json.loads(message.payload)
        print(part["message"], end="", flush=True)
        if part.get("isComplete"):
            print("\n---")
            ended.put(None)

    client.on_message = on_message
    run(client, REPLIES + request, subscribed, seconds=50)


def answer(client, text):
    def on_message(_client, _data, message):
        envelope = dict(message.properties.UserProperty)
        conversation = envelope["CONVERSATION_ID"]
        body = {"message": text, "dateTime": now(), "isComplete": True, "sequenceNumber": {"value": 1}}
        send(client, REPLIES + envelope["MESSAGE_ID"], "AgentResponse", body, conversation)
        send(client, EVENTS, "ConversationEnded", {"conversationId": conversation}, str(uuid.uuid4()))

    client.on_message = on_message
    run(client, REQUESTS, lambda: print("listening", flush=True))


programs = {"ask": ask, "answer": answer}
if len(sys.argv) < 3 or sys.argv[1] not in programs:
    misused(__doc__)
programs[sys.argv[1]](new_client(), " ".join(sys.argv[2:]))
