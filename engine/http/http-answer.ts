/** Answers as clients of gpt-multi-atomic-agents know them: what is wrong stands in `detail`. */

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON; a text as it is; nothing for an answer without a body. */
  readonly body?: unknown;
}

export const json = (status: number, body: unknown, headers: HttpAnswer['headers'] = {}): HttpAnswer => ({
  ...{ status, headers, body },
});

/** @param detail For whoever wrote the client: a sentence, or the list of what is wrong with a body. */
export const refusal = (status: number, detail: unknown, headers: HttpAnswer['headers'] = {}): HttpAnswer =>
  json(status, { detail }, headers);

/** As there: no reason is given; it stands in the log. */
export const serverError: HttpAnswer = { status: 500, headers: {}, body: 'Internal Server Error' };

/** Text that a header can hold: other letters as `%XX`, and commas too, for they part the entries of a list. */
export const headerText = (text: string): string =>
  text.replace(/[^\x20-\x7e]|[%,]/gu, (letter) => encodeURIComponent(letter)).slice(0, 300);
