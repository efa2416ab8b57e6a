/**
 * Who speaks: replies come in pieces, several at once, and are shown one after the other. Who has the floor keeps it to
 * the end; what others say meanwhile waits. Only who is silent for a while, when others wait, gives it away and later
 * goes on under a heading of its own.
 */
import type { Clock, Timer } from '../../engine/clock.ts';

export interface FloorOptions {
  readonly clock: Clock;
  /** Silence after which the floor is given to who waits. Default 5 s. */
  readonly quietMs?: number;
  readonly begin: (key: string, isGoingOn: boolean) => void;
  readonly text: (text: string) => void;
  /** `isOver`: nothing more comes of it. */
  readonly end: (key: string, isOver: boolean, note: string) => void;
}

export interface Floor {
  /** Nobody has it. */
  readonly isFree: boolean;
  say(key: string, text: string, isLast: boolean, note?: string): void;
  /** Its end will not come any more. */
  giveUp(key: string, note: string): void;
  /** Nothing is shown any more. */
  close(): void;
}

interface Speaker {
  readonly key: string;
  text: string;
  isOver: boolean;
  note: string;
  hasBegun: boolean;
}

const usualQuietMs = 5_000;

export function createFloor(options: FloorOptions): Floor {
  const { clock, quietMs = usualQuietMs } = options;
  const speakers = new Map<string, Speaker>();
  let holder: Speaker | undefined;
  let timer: Timer | undefined;
  let isClosed = false;

  const speakerOf = (key: string): Speaker => {
    const known = speakers.get(key);
    if (known) return known;
    const speaker = { key, text: '', isOver: false, note: '', hasBegun: false };
    speakers.set(key, speaker);
    return speaker;
  };
  const waiting = () => [...speakers.values()].find((one) => one !== holder && (one.text !== '' || one.isOver));

  /** What the holder has to say, then what those who wait have, as long as replies end. */
  const go = () => {
    for (holder ??= waiting(); holder; holder = waiting()) {
      const { key, text, isOver, note, hasBegun } = holder;
      if (timer === undefined) options.begin(key, hasBegun);
      holder.hasBegun = true;
      clock.clearTimer(timer);
      holder.text = '';
      if (text !== '') options.text(text);
      if (!isOver) return void (timer = clock.setTimer(pass, quietMs));
      speakers.delete(key);
      timer = undefined;
      options.end(key, true, note);
    }
  };
  const pass = () => {
    if (!holder) return;
    if (!waiting()) return void (timer = clock.setTimer(pass, quietMs));
    const { key } = holder;
    const next = waiting();
    timer = undefined;
    options.end(key, false, '');
    holder = next;
    go();
  };

  return {
    get isFree() {
      return holder === undefined;
    },
    say(key, text, isLast, note = '') {
      if (isClosed) return;
      const speaker = speakerOf(key);
      speaker.text += text;
      speaker.isOver ||= isLast;
      if (note) speaker.note = note;
      if (holder === undefined || holder === speaker) go();
    },
    giveUp(key, note) {
      if (speakers.get(key)?.isOver === false) this.say(key, '', true, note);
    },
    close() {
      isClosed = true;
      clock.clearTimer(timer);
    },
  };
}
