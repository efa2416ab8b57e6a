package interop;

import java.util.Arrays;

/** java -jar target/interop-1.jar ask|answer|agent|rows … ; addresses from BROKER and VALKEY. */
public final class Main {
  private static final String USAGE = """
      ask SENTENCE...    asks over A.M.I.C.A.'s topics and prints the answer, then ---
      answer TEXT...     answers every request after two seconds, as one part with the number 0
      agent NAME         shows a card and answers on an ask topic of its own
      rows CONVERSATION  prints what was said in a conversation, from Valkey
      Addresses: BROKER (mqtt://[user:password@]host:port), VALKEY (redis://[:password@]host:port).""";

  public static void main(String[] words) {
    try {
      run(words);
    } catch (Exception error) {
      System.err.println(Faults.inWords(error));
      System.exit(1);
    }
  }

  private static void run(String[] words) throws Exception {
    String[] rest = words.length == 0 ? words : Arrays.copyOfRange(words, 1, words.length);
    boolean isRight = rest.length > 0 && switch (words[0]) {
      case "ask" -> Requester.run(String.join(" ", rest));
      case "answer" -> Responder.run(String.join(" ", rest));
      case "agent" -> AskedAgent.run(rest[0]);
      case "rows" -> Rows.run(rest[0]);
      default -> false;
    };
    if (isRight) return;
    System.err.println(USAGE);
    System.exit(2);
  }
}
