package interop;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.lifecycle.MqttDisconnectSource;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.Mqtt5ClientBuilder;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishResult;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.suback.Mqtt5SubAck;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** One MQTT 5 connection, to the broker that BROKER names. */
final class Broker {
  final Mqtt5AsyncClient client;

  private Broker(Mqtt5AsyncClient client) {
    this.client = client;
  }

  /** Connects. */
  static Broker connect() {
    return connect(null, () -> {});
  }

  /**
   * Connects, and again whenever the connection is lost.
   *
   * @param card    topic on which the broker publishes an empty, retained message when this program dies; or null
   * @param onUp    called after each connect
   */
  static Broker connect(String card, Runnable onUp) {
    URI address = address();
    AtomicBoolean wasUp = new AtomicBoolean();
    Mqtt5ClientBuilder builder = Mqtt5Client.builder()
        .identifier("interop-java-" + UUID.randomUUID())
        .serverHost(address.getHost())
        .serverPort(address.getPort() < 0 ? 1883 : address.getPort())
        .automaticReconnectWithDefaultConfig()
        .addConnectedListener(context -> {
          wasUp.set(true);
          onUp.run();
        })
        .addDisconnectedListener(context -> {
          if (context.getSource() == MqttDisconnectSource.USER) return;
          if (!wasUp.get()) {
            // Whoever started this program is told, and may correct the address or the password.
            context.getReconnector().reconnect(false);
            return;
          }
          System.err.println("No connection, it is tried again: " + context.getCause().getMessage());
        });
    if (address.getUserInfo() != null) {
      String[] login = address.getUserInfo().split(":", 2);
      byte[] password = login[login.length - 1].getBytes(StandardCharsets.UTF_8);
      builder = builder.simpleAuth().username(login[0]).password(password).applySimpleAuth();
    }
    if (card != null) {
      builder = builder.willPublish().topic(card).qos(MqttQos.AT_LEAST_ONCE).retain(true).applyWillPublish();
    }
    Mqtt5AsyncClient client = builder.buildAsync();
    client.connectWith().cleanStart(true).send().join();
    return new Broker(client);
  }

  private static URI address() {
    String given = Optional.ofNullable(System.getenv("BROKER")).orElse("mqtt://127.0.0.1:1883");
    try {
      URI address = new URI(given);
      if ("mqtt".equals(address.getScheme()) && address.getHost() != null) return address;
    } catch (URISyntaxException error) {
      // Said below.
    }
    throw new IllegalArgumentException("BROKER is an address such as mqtt://127.0.0.1:1883.");
  }

  /** Resolves with the broker's word that it is subscribed: what is published before that may be missed. */
  CompletableFuture<Mqtt5SubAck> subscribe(String topic, Consumer<Mqtt5Publish> hear) {
    return client.subscribeWith().topicFilter(topic).qos(MqttQos.AT_LEAST_ONCE).callback(message -> {
      try {
        hear.accept(message);
      } catch (RuntimeException error) {
        // An exception here would end the subscription.
        System.err.println("Passed over a message on " + message.getTopic() + ": " + error);
      }
    }).send();
  }

  CompletableFuture<Mqtt5PublishResult> publish(String topic, String body, Mqtt5UserProperties properties) {
    return client.publishWith().topic(topic).qos(MqttQos.AT_LEAST_ONCE)
        .payload(body.getBytes(StandardCharsets.UTF_8)).userProperties(properties).send();
  }

  static String text(Mqtt5Publish message) {
    return new String(message.getPayloadAsBytes(), StandardCharsets.UTF_8);
  }

  static String property(Mqtt5Publish message, String name) {
    return message.getUserProperties().asList().stream()
        .filter(property -> property.getName().toString().equals(name))
        .map(property -> property.getValue().toString()).findFirst().orElse("");
  }
}
