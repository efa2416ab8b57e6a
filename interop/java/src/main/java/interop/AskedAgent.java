package interop;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import java.nio.charset.StandardCharsets;

/** An agent of a house: a retained card, and answers on a topic of its own. It feeds fish by itself. */
final class AskedAgent {
  static boolean run(String id) throws Exception {
    String topic = "folkmoot/v1/agents/" + id;
    Broker[] broker = new Broker[1];
    broker[0] = Broker.connect(topic, () -> {
      // Again after each connect: a broker that was restarted may have forgotten it.
      if (broker[0] != null) showCard(broker[0], topic, id);
    });
    broker[0].subscribe(topic + "/ask", message -> answer(broker[0], message)).join();
    showCard(broker[0], topic, id);
    System.out.println("listening");
    Thread.currentThread().join();
    return true;
  }

  private static void showCard(Broker broker, String topic, String id) {
    String card = """
        {"v":1,"agentId":"%s","name":"Aquarium","description":"Feeds the fish of the aquarium","generates":["FeedFish"]}"""
        .formatted(id);
    broker.client.publishWith().topic(topic).qos(MqttQos.AT_LEAST_ONCE).retain(true)
        .payload(card.getBytes(StandardCharsets.UTF_8)).send().whenComplete((sent, thrown) -> {
          Throwable why = thrown != null ? thrown : sent.getError().orElse(null);
          if (why == null) return;
          System.err.println("The broker refuses our card: " + why.getMessage());
          System.exit(1);
        });
  }

  private static void answer(Broker broker, Mqtt5Publish message) {
    JsonObject ask = JsonParser.parseString(Broker.text(message)).getAsJsonObject();
    String kind = ask.get("kind").getAsString();
    if (kind.equals("cancel") || message.getResponseTopic().isEmpty()) return;
    boolean isMine = kind.equals("step") && ask.get("payload").getAsString().contains("fish");
    JsonObject body = new JsonObject();
    body.addProperty("status", isMine ? "answered" : "refused");
    body.addProperty("payload", isMine ? "The fish have been fed, says Java." : "I only feed fish.");
    broker.client.publishWith().topic(message.getResponseTopic().get()).qos(MqttQos.AT_LEAST_ONCE)
        .payload(body.toString().getBytes(StandardCharsets.UTF_8))
        .correlationData(message.getCorrelationData().orElse(null)).send();
  }

  private AskedAgent() {}
}
