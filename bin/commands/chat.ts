/** `folkmoot chat`: talk to the house and to every other agent on the broker, over A.M.I.C.A.'s topics. */
import { createInterface, type Interface } from 'node:readline';
import { createAmicaRequester } from '../../engine/bus/amica-requester.ts';
import type { Bus } from '../../engine/bus/bus.ts';
import { amicaTopics } from '../../engine/bus/topics.ts';
import { systemClock } from '../../engine/clock.ts';
import { asError, isFolkmootError } from '../../engine/errors.ts';
import { newId } from '../../engine/ids.ts';
import { limits } from '../../engine/limits.ts';
import { createBoardFolder } from '../chat/board-folder.ts';
import { choicesUnder, createDesk, type Desk } from '../chat/desk.ts';
import { createAskedHome } from '../chat/home.ts';
import { createPlainScreen, createTerminal, type Screen } from '../chat/screen.ts';
import { watchHomes, type HomesHere } from '../chat/homes-here.ts';
import { createSession, type Session } from '../chat/session.ts';
import { readArgs, secondsOf, type CommandIo } from './command.ts';
import { brokerHint, firstState } from './connection.ts';
import { isRefusal, refusedWords } from './hearing.ts';
import { loginHelp, openBus, serverHelp, serverOf, serverOptions } from './server.ts';
import { nameOfUser } from './user-name.ts';

export const summary = 'talk to the house';

/** Nothing holds anybody up while answers of others may still come. */
const terminalWaitMs = 30_000;
/** That of gpt-multi-atomic-agents' programs. */
const usualFolder = './data-generated';

export const help = `folkmoot chat [OPTIONS]

Talk to the house. Each line is a request; answers come below it, as they are
made, and end with "---". Every agent on the broker may answer, those of
A.M.I.C.A. too. Blank lines are passed over; "exit", Ctrl-C or Ctrl-D ends it.
"help" lists what one may say to the chat itself; so does a line of one or two
characters, unless it is a yes or no or answers a question.
You need not wait for an answer: go on typing, and each answer is shown in one
piece, below its question. The arrow keys bring back what you said before.

When lines come from a pipe or a file, each is sent when the one before it is
answered, and it ends after the last; exit code 1 if one was not answered.

${serverHelp}
  --user NAME        who asks; default: your name on this computer
  --new              each line is a conversation of its own; from a pipe or a
                     file, several are asked at once
  --timeout SECONDS  so long nobody may say anything before it is given up;
                     default ${limits.replySilenceMs / 1000}
  --wait SECONDS     so long another agent may begin to answer after the first one
                     has; default ${terminalWaitMs / 1000} in a terminal, else ${limits.replySettleMs / 1000}
  --house NAME       whose board and team the commands for debugging are about;
                     default: of the home that answered last, or the only one
  --boards FOLDER    where board files are; default: ${usualFolder}
  -v, --verbose      who answers, in how many parts, after how many seconds
  -h, --help         this text

${loginHelp}
`;

const prompt = '> ';
/** Lines from a file that are asked at once with `--new`. */
const atOnce = 8;

export async function run(args: readonly string[], io: CommandIo): Promise<number> {
  const { values } = readArgs({
    args: [...args],
    options: {
      ...serverOptions,
      user: { type: 'string' },
      new: { type: 'boolean', default: false },
      wait: { type: 'string' },
      house: { type: 'string' },
      boards: { type: 'string', default: usualFolder },
      timeout: { type: 'string', default: String(limits.replySilenceMs / 1000) },
      verbose: { type: 'boolean', short: 'v', default: false },
    },
  });
  const silenceMs = secondsOf('--timeout', values.timeout, [1, 86_400]);
  const waitMs = values.wait === undefined ? undefined : secondsOf('--wait', values.wait, [0, 86_400]);
  const server = await serverOf(values, io.env);
  const bus = await openBus(server);
  let homes: HomesHere | undefined;
  try {
    const problem = (await firstState(bus, io.signal)) ?? (await deafToReplies(bus));
    if (problem !== undefined) {
      io.err.write(`${problem}\n`);
      return 1;
    }
    homes = await watchHomes(bus);
    const isTerminal = Boolean(io.in.isTTY && io.out.isTTY) && io.env['TERM'] !== 'dumb';
    const common = {
      requester: createAmicaRequester({ bus, clock: systemClock }),
      clock: systemClock,
      homes,
      userName: values.user?.trim() || nameOfUser(io.env),
      isNewEachTime: values.new,
      silenceMs,
      settleMs: waitMs ?? (isTerminal ? terminalWaitMs : limits.replySettleMs),
      isVerbose: values.verbose,
      house: values.house?.trim() || undefined,
      boards: values.boards,
      hintOf: (error: unknown) => hintOf(error, server.kind === 'mqtt' && server.user !== undefined),
    };
    return isTerminal ? await inTerminal(common, bus, io) : await fromPipe(common, bus, io, values.new ? atOnce : 1);
  } finally {
    homes?.close();
    await bus.close();
  }
}

type Common = Omit<Parameters<typeof createSession>[0], 'screen' | 'repeatsQuestions' | 'noteUnder'> & {
  readonly house: string | undefined;
  readonly boards: string;
};

const deskOf = ({ house, boards, ...common }: Common, bus: Bus, session: Session, screen: Screen): Desk =>
  createDesk({
    session,
    screen,
    home: createAskedHome({ bus, clock: common.clock, user: common.userName, house, heard: () => session.house }),
    folder: createBoardFolder(boards),
    isNewEachTime: common.isNewEachTime,
  });

/** What to tell when the server lets this user hear no replies; a broker may also take it and give nothing. */
async function deafToReplies(bus: Bus): Promise<string | undefined> {
  try {
    const subscription = await bus.subscribe(amicaTopics.replies(newId()), () => undefined);
    await subscription.close();
    return undefined;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return refusedWords([error]);
  }
}

/** What to do about a question that got no answer. */
function hintOf(error: unknown, mayBeDeaf: boolean): string {
  if (isRefusal(error)) return brokerHint(asError(error).message);
  if (!mayBeDeaf || !isFolkmootError(error, 'FOLKMOOT_DEADLINE')) return '';
  return `If the broker has access rules: this user has to be let read ${amicaTopics.replies('+')}.`;
}

/** Tells when the connection goes and comes. Gives what ends it. */
function showState(bus: Bus, screen: Screen): () => void {
  let isDown = false;
  return bus.onState((state, reason) => {
    if (state === 'down' && !isDown) screen.note(`(no connection to ${reason ?? 'the broker'}; it is tried again)`);
    if (state === 'up' && isDown) screen.note('(connected again)');
    isDown = state === 'down';
  });
}

async function inTerminal(common: Common, bus: Bus, io: CommandIo): Promise<number> {
  const screen = createTerminal({ out: io.out, prompt, isColoured: !io.env['NO_COLOR'] });
  const lines = createInterface({ input: io.in, output: io.out, terminal: true, prompt, historySize: 500 });
  const session = createSession({ ...common, screen, repeatsQuestions: true, noteUnder: choicesUnder });
  const desk = deskOf(common, bus, session, screen);
  screen.attach(lines);
  const stop = showState(bus, screen);
  await new Promise<void>((resolve) => {
    lines.on('line', (line) => {
      screen.entered(line);
      const taken = desk.take(line);
      if (taken?.kind === 'end') return resolve();
      if (taken?.kind === 'command') screen.tell(`${prompt}${line.trim()}`);
    });
    lines.once('SIGINT', resolve).once('close', resolve);
    io.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  stop();
  session.close();
  screen.close();
  lines.close();
  return 0;
}

async function fromPipe(common: Common, bus: Bus, io: CommandIo, most: number): Promise<number> {
  const screen = createPlainScreen(io.out, io.err);
  const session = createSession({ ...common, screen, repeatsQuestions: false });
  const lines = createInterface({ input: io.in, terminal: false });
  const stop = showState(bus, screen);
  const end = () => {
    lines.close();
    session.close();
  };
  io.signal.addEventListener('abort', end, { once: true });
  const areAllAnswered = await askEach(lines, deskOf(common, bus, session, screen), most);
  stop();
  end();
  screen.close();
  return areAllAnswered ? 0 : 1;
}

/** At most so many at once. The last ones are listened to until nobody else begins to answer. */
async function askEach(lines: Interface, desk: Desk, most: number): Promise<boolean> {
  const unanswered = new Set<Promise<unknown>>();
  let over: Promise<unknown> = Promise.resolve();
  let areAllAnswered = true;
  for await (const line of lines) {
    const taken = desk.take(line);
    if (taken?.kind === 'end') break;
    if (taken?.kind === 'command') areAllAnswered = (await taken.done) && areAllAnswered;
    if (taken?.kind !== 'asked') continue;
    const asked = taken.answering;
    const answered: Promise<unknown> = asked.answered.then((isAnswered) => {
      areAllAnswered &&= isAnswered;
      unanswered.delete(answered);
    });
    unanswered.add(answered);
    over = Promise.all([over, asked.over]);
    if (unanswered.size >= most) await Promise.race(unanswered);
  }
  await over;
  return areAllAnswered;
}
