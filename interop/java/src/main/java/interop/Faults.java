package interop;

import com.hivemq.client.mqtt.exceptions.ConnectionFailedException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5MessageException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** What ended a program, as one line for people. */
final class Faults {
  static String inWords(Throwable error) {
    boolean isWrapped = error instanceof CompletionException || error instanceof ExecutionException;
    if (isWrapped && error.getCause() != null) return inWords(error.getCause());
    if (error instanceof TimeoutException) return "No answer came in time.";
    if (error instanceof Mqtt5ConnAckException refusal) {
      return "The broker refuses the connection: " + refusal.getMqttMessage().getReasonCode() + ".";
    }
    if (error instanceof Mqtt5MessageException) return "The broker refuses it: " + error.getMessage();
    if (error instanceof ConnectionFailedException) return "No broker answers at BROKER: " + firstCause(error);
    if (error instanceof IllegalArgumentException) return error.getMessage();
    return "It does not go on: " + firstCause(error);
  }

  private static String firstCause(Throwable error) {
    Throwable first = error;
    while (first.getCause() != null) first = first.getCause();
    String words = first.getMessage();
    return words == null ? first.getClass().getSimpleName() : words.lines().findFirst().orElse("");
  }

  private Faults() {}
}
