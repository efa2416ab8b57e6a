/** What people are told when their message could not be used: plain words, nothing of how it works inside. */
import type { AmicaFaultReason } from '../bus/amica.ts';
import { limits } from '../limits.ts';
import { refusedSenderWords } from '../people/senders.ts';

/** More that can be wrong with a request than with its form. */
export type IntakeReason =
  | AmicaFaultReason
  | 'not a request'
  | 'no words'
  | 'too long'
  | 'control characters'
  | 'too busy'
  | 'unknown sender'
  | 'retained'
  | 'repeated id';

const words: Partial<Record<IntakeReason, string>> = {
  'no conversation id': 'It does not say to which conversation it belongs.',
  'unusable conversation id': 'The name of its conversation has characters that can’t be used.',
  'no payload type': 'It does not say what kind of message it is.',
  'unknown payload type': 'It is of a kind that I don’t know.',
  'not a request': 'It is not a request.',
  'too large': `It is larger than ${limits.busPayloadBytes / 1024} kilobytes.`,
  empty: 'It is empty.',
  binary: 'It is not text.',
  'too deep': 'It is nested too deeply.',
  'malformed JSON': 'It is not in the form that was agreed on.',
  'wrong field': 'A part of it is missing or not in the form that was agreed on.',
  'no words': 'It has no words in it.',
  'too long': `Its text is longer than ${limits.requestChars} characters.`,
  'too busy': 'I have too much to do right now. Please ask again in a moment.',
  'control characters': 'Its text has characters that can’t be written.',
};

/** The whole reply. */
export const refusalWords = (reason: IntakeReason): string =>
  reason === 'unknown sender' ? refusedSenderWords : unusable(reason);

const unusable = (reason: IntakeReason): string =>
  `Sorry, I could not use your message. ${words[reason] ?? 'Something is wrong with it.'}`;
