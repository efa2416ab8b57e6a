/** Where the chat writes: a terminal, whose last rows are the prompt and what is still waited for, or plain lines. */
import { clearScreenDown, cursorTo, moveCursor, type Interface } from 'node:readline';
import type { Writable } from 'node:stream';
import { cutTo, rowsOf, widthOf } from './text.ts';

export interface Screen {
  /** Goes on where the last text ended. Plain text. */
  write(text: string): void;
  /** A line of its own, which is no part of what was said. */
  note(text: string): void;
  /** Lines of their own that one asked the chat itself for. */
  tell(text: string): void;
  /** Ends the line, if one is begun. */
  endLine(): void;
  /** Questions that nobody has begun to answer. */
  waiting(questions: readonly string[]): void;
  close(): void;
}

/** For pipes and files: nothing is ever moved or rewritten. Notes go to `notes`. */
export function createPlainScreen(out: Writable, notes: Writable): Screen {
  let isAtStart = true;
  const endLine = () => {
    if (!isAtStart) out.write('\n');
    isAtStart = true;
  };
  return {
    write(text) {
      if (text === '') return;
      out.write(text);
      isAtStart = text.endsWith('\n');
    },
    note: (text) => void notes.write(`${text}\n`),
    tell(text) {
      endLine();
      out.write(`${text}\n`);
    },
    endLine,
    waiting: () => undefined,
    close: endLine,
  };
}

export interface TerminalOptions {
  readonly out: Writable & { readonly columns?: number };
  readonly prompt: string;
  readonly isColoured: boolean;
}

export interface Terminal extends Screen {
  /** What was typed is taken away, for it comes back as a heading. */
  entered(line: string): void;
  attach(lines: Interface): void;
}

/** Most questions shown while they wait. */
const waitingRows = 3;

/**
 * The lowest rows are drawn anew with each change: the line that is being written, what waits, and the prompt with what
 * was typed so far. All above is never touched again.
 */
export function createTerminal({ out, prompt, isColoured }: TerminalOptions): Terminal {
  let lines: Interface | undefined;
  let line = '';
  let questions: readonly string[] = [];
  /** Rows drawn above the prompt. */
  let drawn = 0;
  const columns = () => Math.max(20, out.columns ?? 80);
  const dim = (text: string) => (isColoured ? `\u001b[2m${text}\u001b[22m` : text);

  const erase = (promptRows: number) => {
    moveCursor(out, 0, -(drawn + promptRows));
    cursorTo(out, 0);
    clearScreenDown(out);
    drawn = 0;
  };
  const draw = () => {
    if (!lines) return void (line === '' ? undefined : out.write(line));
    const hidden = questions.length - waitingRows;
    const rows = [
      ...(line === '' ? [] : [line]),
      ...questions.slice(0, waitingRows).map((text) => dim(cutTo(`… ${text}`, columns() - 1))),
      ...(hidden > 0 ? [dim(`… and ${hidden} more`)] : []),
    ];
    drawn = rows.length;
    // readline moves up to where it believes that its prompt began, which is not always where it did.
    const { prevRows = lines.getCursorPos().rows } = lines as Interface & { readonly prevRows?: number };
    out.write(`${rows.map((row) => `${row}\n`).join('')}${'\n'.repeat(prevRows)}`);
    lines.prompt(true);
  };
  const change = (body: () => void) => {
    if (lines) erase(lines.getCursorPos().rows);
    else cursorTo(out, 0);
    body();
    draw();
  };
  const add = (text: string) => {
    const parts = (line + text).split('\n');
    line = '';
    for (const [index, part] of parts.entries()) {
      const rows = rowsOf(part, columns() - 1);
      const rest = index === parts.length - 1 ? (rows.pop() ?? '') : '';
      if (rows.length > 0) out.write(`${rows.join('\n')}\n`);
      line = rest;
    }
  };
  /** Above the line that is being written, which goes on below. */
  const above = (text: string, shownAs: (row: string) => string) =>
    change(() => {
      const rows = text.split('\n').flatMap((one) => rowsOf(one, columns() - 1));
      for (const row of rows) out.write(`${shownAs(row)}\n`);
    });
  const end = () => {
    if (line !== '') out.write(`${line}\n`);
    line = '';
  };

  return {
    write: (text) => change(() => add(text)),
    note: (text) => above(text, dim),
    tell: (text) => above(text, (row) => row),
    endLine: () => change(end),
    waiting(now) {
      change(() => (questions = now));
    },
    entered(typed) {
      // Its rows, and the one that the cursor is in now.
      erase(Math.floor(widthOf(prompt + typed) / columns()) + 1);
      draw();
    },
    attach(interfaceOfLines) {
      lines = interfaceOfLines;
      draw();
    },
    close() {
      if (!lines) return;
      erase(lines.getCursorPos().rows);
      lines = undefined;
      end();
    },
  };
}
