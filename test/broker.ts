/** What specs need of a broker, whichever it is. */
export interface TestBroker {
  readonly name: string;
  readonly port: number;
  readonly url: string;
  /** How many clients are connected now. */
  clients(): number | Promise<number>;
  /** Ends it at once and without a word, as a power cut does; what it kept is gone. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  restart(): Promise<void>;
  /** For the end of a suite. */
  stop(): Promise<void>;
}
