import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { startFakeOpenAi, type FakeAnswer, type FakeOpenAi, type FakeRequest } from '../fake-openai.ts';
import { commandsOf, type Call } from './expected.ts';
import { startHome, type HomeProcess } from './home-process.ts';
import { connectPerson, type Person } from './person.ts';
import { assertPlain } from './words.ts';

interface Line {
  readonly text: string;
  readonly steps: readonly { readonly agent: string; readonly prompt: string; readonly calls: readonly Call[] }[];
}

/** What the model makes of three sentences; each prompt is unlike every other. */
const lines: readonly Line[] = [
  {
    text: 'turn the kitchen light on at 40 % and mow the front lawn',
    steps: [
      {
        agent: 'lights',
        prompt: 'P1 kitchen light on at 40 percent',
        calls: [{ function: 'SetLight', parameters: { room: 'kitchen', state: 'on', brightness: 40 } }],
      },
      {
        agent: 'lawn-mower',
        prompt: 'P2 mow in front',
        calls: [{ function: 'MowLawn', parameters: { area: 'front' } }],
      },
    ],
  },
  {
    text: 'set the bedroom to 21 degrees and close the blinds there',
    steps: [
      {
        agent: 'climate',
        prompt: 'P3 bedroom to 21 degrees',
        calls: [{ function: 'SetTemperature', parameters: { room: 'bedroom', celsius: 21 } }],
      },
      {
        agent: 'blinds',
        prompt: 'P4 bedroom blinds closed',
        calls: [{ function: 'SetBlind', parameters: { room: 'bedroom', position: 0 } }],
      },
    ],
  },
  {
    text: 'mow the back lawn and get rid of the cut grass',
    steps: [
      {
        agent: 'lawn-mower',
        prompt: 'P5 mow at the back',
        calls: [{ function: 'MowLawn', parameters: { area: 'back' } }],
      },
      {
        agent: 'waste-disposer',
        prompt: 'P6 collect the cut grass',
        calls: [{ function: 'CollectWaste', parameters: { area: 'back' } }],
      },
    ],
  },
];
const steps = lines.flatMap((line) => line.steps);
const isPlan = (request: FakeRequest) => request.tools.some((tool) => tool.name === 'make_plan');
const stepOf = (request: FakeRequest) => steps.find((step) => request.text.includes(step.prompt));

/** What goes wrong, for the planner or for whoever is asked then. */
interface Trouble {
  readonly who: 'plan' | 'agent';
  readonly answer: FakeAnswer;
}
let trouble: Trouble | undefined;

function answer(request: FakeRequest): FakeAnswer {
  if (trouble?.who === (isPlan(request) ? 'plan' : 'agent')) return trouble.answer;
  if (isPlan(request)) {
    const line = lines.find(({ text }) => request.text.includes(text));
    const args = {
      message: 'I will see to it.',
      steps: (line?.steps ?? []).map(({ agent, prompt }, index) => ({
        agent,
        prompt,
        after: index ? [index - 1] : [],
      })),
    };
    return { calls: [{ name: 'make_plan', args }], piece: 5 };
  }
  const calls = stepOf(request)?.calls ?? [];
  return { calls: calls.map((call) => ({ name: call.function, args: call.parameters })), piece: 3 };
}

describe('the home with a model on an OpenAI-compatible server', function () {
  this.timeout(90_000);
  let server: FakeOpenAi;
  let home: HomeProcess;
  let person: Person;
  before(async () => {
    server = await startFakeOpenAi({ answer });
    const model = `openai-compatible:${server.url}#small`;
    home = await startHome({ env: { FOLKMOOT_MODEL: model, FOLKMOOT_MODEL_TIMEOUT: '2' } });
    person = await connectPerson(home.ready.mqtt);
  });
  afterEach(() => {
    trouble = undefined;
  });
  after(async () => {
    await person?.close();
    await home?.stop();
    await server?.close();
  });

  for (const line of lines) {
    it(`acts on "${line.text}"`, async () => {
      person.commands();
      const { text } = await person.say(line.text);
      assert.deepEqual(person.commands(), commandsOf(line.steps.flatMap((step) => step.calls)));
      assert.doesNotMatch(text, /P\d /);
      assertPlain(text, line.text);
    });
  }

  it('shows an agent only what it may generate and what it accepts from the board', () => {
    assert.ok(server.requests.length >= 9);
    assert.ok(server.requests.every((request) => request.model === 'small'));
    const ofWaste = server.requests.find((request) => !isPlan(request) && request.text.includes('P6'));
    assert.ok(ofWaste);
    const tools = ofWaste.tools.map((tool) => tool.name).filter((name) => name !== 'generate');
    assert.ok(
      tools.every((name) => ['CollectWaste', 'TakeWasteToCollectionSite', 'ask_person'].includes(name)),
      tools.join(),
    );
    assert.match(ofWaste.text, /ProduceCutGrass/);
    assert.doesNotMatch(JSON.stringify(ofWaste.body), /SetLight|SetBlind|SetTemperature|TellPerson/);
    const ofBlinds = server.requests.find((request) => !isPlan(request) && request.text.includes('P4'));
    assert.ok(ofBlinds);
    assert.doesNotMatch(JSON.stringify(ofBlinds.body), /SetTemperature|occupied|ProduceCutGrass/);
  });

  it('never hands a hosted model what was made for rules', () => {
    assert.doesNotMatch(JSON.stringify(server.requests.map((request) => request.body)), /"metadata"/);
  });

  /** Says the first sentence while there is trouble. @returns the reply; nothing may have been done. */
  async function saidIn(one: Trouble): Promise<string> {
    const [line] = lines;
    assert.ok(line);
    trouble = one;
    const { text, hasEnded } = await person.say(line.text);
    trouble = undefined;
    assert.ok(hasEnded);
    assert.deepEqual(person.commands(), []);
    assertPlain(text, line.text);
    return text;
  }

  /** The next sentence is answered as if nothing had been. */
  async function worksAgain(): Promise<void> {
    const line = lines[1];
    assert.ok(line);
    await person.say(line.text);
    assert.deepEqual(person.commands(), commandsOf(line.steps.flatMap((step) => step.calls)));
  }

  const codesIn = (text: string, code: string): number => text.split(code).length - 1;

  const troubles = [
    { who: 'plan', times: 2, silence: 'start' },
    { who: 'agent', times: 1, silence: 'middle' },
  ] as const;
  for (const { who, times, silence } of troubles) {
    it(`tells what the model says when it only talks to the ${who}, and does nothing`, async () => {
      const words = 'I would rather talk about owls.';
      assert.ok((await saidIn({ who, answer: { text: words } })).includes(words));
      await worksAgain();
    });

    it(`says that the model did not answer the ${who} when its server fails, and names the code once`, async () => {
      const before = home.output().length;
      for (let count = 0; count < times; count += 1) {
        const text = await saidIn({ who, answer: { status: 500, text: 'out of owls' } });
        assert.match(text, /the AI model did not answer/);
        assert.doesNotMatch(text, /500|owls/);
      }
      await worksAgain();
      // What the home logs comes by a pipe, later than its reply comes by the broker.
      const logged = () => codesIn(home.output().slice(before), 'FOLKMOOT_MODEL_FAILED');
      for (const end = Date.now() + 5_000; Date.now() < end && logged() === 0;) await pause(20);
      assert.equal(logged(), 1, home.output().slice(before));
    });

    it(`does not wait for ever when the ${who} gets silence from the ${silence} on`, async () => {
      const from = Date.now();
      const text = await saidIn({ who, answer: { text: 'I will see to it.', silence } });
      assert.match(text, /the AI model (?:did not answer|took too long)/);
      assert.ok(Date.now() - from < 15_000);
      await worksAgain();
    });
  }
});
