package interop;

import com.google.gson.JsonObject;
import java.time.ZonedDateTime;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Answers every request after two seconds, as A.M.I.C.A.'s own agent does: one part, number 0, date with a zone. */
final class Responder {
  private static final long THINKS_SECONDS = 2;

  static boolean run(String answer) throws Exception {
    Broker broker = Broker.connect();
    broker.subscribe(Amica.REQUESTS, message -> {
      String request = Broker.property(message, "MESSAGE_ID");
      String conversation = Broker.property(message, "CONVERSATION_ID");
      CompletableFuture.delayedExecutor(THINKS_SECONDS, TimeUnit.SECONDS)
          .execute(() -> answer(broker, request, conversation, answer));
    }).join();
    System.out.println("listening");
    Thread.currentThread().join();
    return true;
  }

  private static void answer(Broker broker, String request, String conversation, String answer) {
    JsonObject number = new JsonObject();
    number.addProperty("value", 0);
    JsonObject body = new JsonObject();
    body.addProperty("message", answer);
    body.addProperty("dateTime", ZonedDateTime.now().toString());
    body.addProperty("isComplete", true);
    body.add("sequenceNumber", number);
    broker.publish(Amica.REPLIES + request, body.toString(),
        Amica.envelope(UUID.randomUUID(), conversation, "AgentResponse")).join();
    JsonObject ended = new JsonObject();
    ended.addProperty("conversationId", conversation);
    String unrelated = UUID.randomUUID().toString();
    broker.publish(Amica.EVENTS, ended.toString(),
        Amica.envelope(UUID.randomUUID(), unrelated, "ConversationEnded")).join();
  }

  private Responder() {}
}
