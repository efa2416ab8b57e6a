/** A house on two tabs: its router asks two agents, slowly; another router reaches nobody. */

const base = { risk: 'reversible', effect: true, repeatable: true };
const room = { name: 'room', type: 'string', required: true, allowedValues: ['kitchen', 'hall'] };
const functions = [
  {
    ...base,
    name: 'SetLight',
    description: 'Turn the light of a room on or off',
    category: 'lights',
    synonyms: ['turn light', 'light'],
    sentence: '{room} light {state}',
    parameters: [room, { name: 'state', type: 'string', required: true, allowedValues: ['on', 'off'] }],
  },
  {
    ...base,
    name: 'MowLawn',
    description: 'Mow a lawn',
    category: 'garden',
    synonyms: ['mow'],
    sentence: 'Mowing the {area} lawn',
    parameters: [{ name: 'area', type: 'string', required: true, allowedValues: ['front', 'back'] }],
  },
];
const place = (z: string, x: number, y: number) => ({ z, x, y });
const inject = (id: string, payload: string, y: number, to = 'router') => ({
  id,
  type: 'inject',
  name: payload,
  props: [{ p: 'payload' }],
  payload,
  payloadType: 'str',
  repeat: '',
  crontab: '',
  once: false,
  onceDelay: '0.1',
  ...place('house', 200, y),
  wires: [[to]],
});
const agent = (id: string, name: string, generates: string[], y: number) => ({
  id,
  type: 'folkmoot-agent',
  settingsVersion: 1,
  name,
  language: 'lang',
  description: name,
  generates,
  ...place('agents', 400, y),
  wires: [[], [], [], []],
});
const rows = [{ kind: 'category', target: 'lights' }];
export const flows = [
  { id: 'house', type: 'tab', label: 'house' },
  { id: 'agents', type: 'tab', label: 'agents' },
  { id: 'lang', type: 'folkmoot-language', settingsVersion: 1, name: 'words', kind: 'functions', functions },
  inject('both', 'turn the kitchen light on and mow the front lawn', 80),
  inject('half', 'turn the light on', 140),
  inject('nobody', 'what time is it in Lisbon?', 200, 'alone'),
  {
    id: 'router',
    type: 'folkmoot-router',
    settingsVersion: 1,
    name: 'House',
    language: 'lang',
    ...place('house', 520, 120),
    wires: [['apply'], [], [], ['slow']],
  },
  {
    id: 'alone',
    type: 'folkmoot-router',
    settingsVersion: 1,
    name: 'Alone',
    ...place('house', 520, 240),
    wires: [[], ['said'], [], []],
  },
  // So slow that a run can be seen while it works.
  {
    id: 'slow',
    type: 'delay',
    pauseType: 'delay',
    timeout: '1500',
    timeoutUnits: 'milliseconds',
    rate: '1',
    nbRateUnits: '1',
    rateUnits: 'second',
    randomFirst: '1',
    randomLast: '5',
    randomUnits: 'seconds',
    drop: false,
    outputs: 1,
    ...place('house', 720, 180),
    wires: [['out']],
  },
  { id: 'out', type: 'link out', mode: 'link', links: ['in'], ...place('house', 860, 180), wires: [] },
  { id: 'in', type: 'link in', links: ['out'], ...place('agents', 120, 80), wires: [['lights', 'lawn']] },
  agent('lights', 'Lights', ['category:lights'], 80),
  agent('lawn', 'Lawn Mower', ['MowLawn'], 160),
  {
    id: 'apply',
    type: 'folkmoot-apply',
    settingsVersion: 1,
    language: 'lang',
    rows,
    outputs: 2,
    ...place('house', 720, 100),
    wires: [['said'], []],
  },
  { id: 'said', type: 'debug', active: true, complete: 'payload', ...place('house', 880, 100), wires: [] },
];
