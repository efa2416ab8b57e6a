package interop;

import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Puts the parts of an answer in order by the rules of A.M.I.C.A.'s command line: 1 comes first; a part that is due is
 * given out at once, and those after it; with parts waiting, more than 50 or 1.5 s after the last one that was given
 * out, an arrival gives out the lowest. There is no timer.
 */
final class OrderBuffer {
  private static final int MAX_PARTS = 50;
  private static final long MAX_WAIT_MS = 1_500;

  record Part(int number, String text, boolean isLast) {}

  private final TreeMap<Integer, Part> waiting = new TreeMap<>();
  private final Consumer<Part> giveOut;
  private int next = 1;
  private long lastMs;

  /** @param nowMs when the request is sent */
  OrderBuffer(long nowMs, Consumer<Part> giveOut) {
    this.lastMs = nowMs;
    this.giveOut = giveOut;
  }

  /** @return true when a last part was given out */
  synchronized boolean arrive(Part part, long nowMs) {
    waiting.putIfAbsent(part.number(), part);
    boolean isDone = false;
    while (waiting.containsKey(next)) {
      isDone |= take(next);
      lastMs = nowMs;
    }
    boolean waitedLong = nowMs - lastMs > MAX_WAIT_MS;
    if (!waiting.isEmpty() && (waiting.size() > MAX_PARTS || waitedLong)) isDone |= take(waiting.firstKey());
    return isDone;
  }

  private boolean take(int number) {
    Part part = waiting.remove(number);
    next = number + 1;
    giveOut.accept(part);
    return part.isLast();
  }
}
