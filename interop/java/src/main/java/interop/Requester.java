package interop;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Asks one sentence as A.M.I.C.A.'s command line does, and prints the parts of the answer in order. */
final class Requester {
  private static final long ANSWER_SECONDS = 60;

  static boolean run(String sentence) throws Exception {
    Broker broker = Broker.connect();
    UUID request = UUID.randomUUID();
    CompletableFuture<Void> done = new CompletableFuture<>();
    OrderBuffer buffer = new OrderBuffer(System.currentTimeMillis(), part -> System.out.print(part.text()));
    broker.subscribe(Amica.REPLIES + request, message -> {
      JsonObject body = JsonParser.parseString(Broker.text(message)).getAsJsonObject();
      OrderBuffer.Part part = new OrderBuffer.Part(
          body.getAsJsonObject("sequenceNumber").get("value").getAsInt(),
          body.get("message").getAsString(),
          body.get("isComplete").getAsBoolean());
      if (buffer.arrive(part, System.currentTimeMillis())) done.complete(null);
    }).join();
    JsonObject body = new JsonObject();
    body.addProperty("dateTime", ZonedDateTime.now(ZoneOffset.UTC).toString());
    body.addProperty("userName", System.getProperty("user.name"));
    body.addProperty("message", sentence);
    String conversation = UUID.randomUUID().toString();
    broker.publish(Amica.REQUESTS, body.toString(), Amica.envelope(request, conversation, "UserRequest")).join();
    done.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    System.out.println("\n---");
    System.err.println("conversation " + conversation);
    broker.client.disconnect().join();
    return true;
  }

  private Requester() {}
}
