package interop;

import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import java.util.UUID;

/** Topics and envelope of A.M.I.C.A. (docs/join.md). */
final class Amica {
  static final String REQUESTS = "/es/nachobrito/amica/user/request/v1";
  static final String REPLIES = "/es/nachobrito/amica/replies/";
  static final String EVENTS = "/es/nachobrito/amica/system/event/v1";
  private static final String CLASSES = "es.nachobrito.amica.domain.model.message.payload.";

  static Mqtt5UserProperties envelope(UUID message, String conversation, String kind) {
    return Mqtt5UserProperties.builder()
        .add("MESSAGE_ID", message.toString())
        .add("CONVERSATION_ID", conversation)
        .add("PAYLOAD_TYPE", CLASSES + kind)
        .build();
  }

  private Amica() {}
}
