"""Asks the home one sentence as any Python program with paho-mqtt would, and prints what came back as JSON.

Usage: ask.py HOST PORT SENTENCE
"""

import json
import sys
import threading
import uuid
from datetime import datetime, timezone

import paho.mqtt.client as mqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

REQUESTS = "/es/nachobrito/amica/user/request/v1"
EVENTS = "/es/nachobrito/amica/system/event/v1"
CLASSES = "es.nachobrito.amica.domain.model.message.payload."

host, port, sentence = sys.argv[1], int(sys.argv[2]), sys.argv[3]
request, conversation = str(uuid.uuid4()), str(uuid.uuid4())
replies = f"/es/nachobrito/amica/replies/{request}"
topics = [(replies, 1), (EVENTS, 1), ("zigbee2mqtt/+/set", 1), ("home/+/set", 1)]
heard = {"parts": [], "commands": [], "ended": False}
done = threading.Event()


def on_connect(client, _userdata, _flags, _reason, _properties):
    client.subscribe(topics)


def on_subscribe(client, _userdata, _mid, _reasons, _properties):
    properties = Properties(PacketTypes.PUBLISH)
    properties.UserProperty = [
        ("MESSAGE_ID", request),
        ("CONVERSATION_ID", conversation),
        ("PAYLOAD_TYPE", CLASSES + "UserRequest"),
    ]
    now = datetime.now(timezone.utc).isoformat()
    body = {"dateTime": now, "userName": "sam", "message": sentence}
    client.publish(REQUESTS, json.dumps(body), qos=1, properties=properties)


def on_message(_client, _userdata, message):
    body = json.loads(message.payload)
    user_properties = dict(getattr(message.properties, "UserProperty", []))
    if message.topic == replies:
        heard["parts"].append({"type": user_properties.get("PAYLOAD_TYPE"), **body})
    elif message.topic == EVENTS:
        if body.get("conversationId") == conversation:
            heard["ended"] = user_properties.get("PAYLOAD_TYPE")
            done.set()
    else:
        heard["commands"].append({"topic": message.topic, "payload": body})


client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
client.on_connect, client.on_subscribe, client.on_message = on_connect, on_subscribe, on_message
client.connect(host, port)
client.loop_start()
in_time = done.wait(20)
client.disconnect()
client.loop_stop()
print(json.dumps(heard))
sys.exit(0 if in_time else 1)
