"""An agent that a house asks:  python agent.py coffee-corner   (broker: BROKER=mqtt://host:port)
In the house, wire a router's "may ask" output to a remote agent node and choose "coffee-corner" there."""

import json
import re
import sys

from broker import misused, new_client, run
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

NUMBERS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4}
if len(sys.argv) != 2:
    misused(__doc__)
name = sys.argv[1]
topic = f"folkmoot/v1/agents/{name}"
# "generates": commands that it asks the house to carry out. One that only talks, or acts by itself, needs none.
card = {
    "v": 1,
    "agentId": name,
    "name": "Coffee Corner",
    "description": "Makes coffee",
    "generates": ["BrewCoffee"],
}
given = {}  # The same ask again is answered the same.


def work(ask):
    if ask["kind"] != "step":
        return {"status": "refused", "payload": "I only make coffee."}
    found = re.search(r"\b(\d+|a|one|two|three|four) (?:cups?|coffees?)\b", ask["payload"])
    if not found:
        return {"status": "answered", "asked": True, "payload": "How many cups of coffee?"}
    word = found[1]
    cups = NUMBERS.get(word) or int(word)
    command = {"function": "BrewCoffee", "parameters": {"cups": cups}}
    return {"status": "answered", "payload": f"Coffee, says Python: {cups}.", "mutations": [command]}


def subscribed():  # After each connect: a broker that was restarted may have forgotten the card.
    client.publish(topic, json.dumps(card), qos=1, retain=True)
    print("listening", flush=True)


def on_message(client, _data, message):
    ask = json.loads(message.payload)
    if ask["kind"] == "cancel" or not hasattr(message.properties, "ResponseTopic"):
        return
    ask_id = ask["moot"]["ask"]["id"]
    if len(given) > 1000:
        given.pop(next(iter(given)))
    given[ask_id] = given.get(ask_id) or work(ask)
    properties = Properties(PacketTypes.PUBLISH)
    properties.CorrelationData = message.properties.CorrelationData
    client.publish(message.properties.ResponseTopic, json.dumps(given[ask_id]), qos=1, properties=properties)


client = new_client()
client.will_set(topic, payload=None, qos=1, retain=True)  # The card goes with this program.
client.on_message = on_message
run(client, f"{topic}/ask", subscribed)
