package interop;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.valkey.Jedis;
import java.net.URI;
import java.time.ZonedDateTime;
import java.util.Optional;

/** Reads what was said in a conversation, as A.M.I.C.A.'s minute taker does: one line for each message with a text. */
final class Rows {
  static boolean run(String conversation) {
    String address = Optional.ofNullable(System.getenv("VALKEY")).orElse("redis://127.0.0.1:6379");
    try (Jedis valkey = new Jedis(URI.create(address))) {
      for (String row : valkey.lrange("conversation:" + conversation, 0, -1)) {
        JsonObject message = JsonParser.parseString(row).getAsJsonObject();
        ZonedDateTime.parse(message.get("timestamp").getAsString());
        String kind = message.get("messageType").getAsString();
        boolean isSaid = kind.equals("USER_MESSAGE") || kind.equals("AGENT_MESSAGE");
        if (!isSaid || !message.has("text")) continue;
        System.out.println(message.get("source").getAsString() + ": " + message.get("text").getAsString());
      }
    }
    return true;
  }

  private Rows() {}
}
