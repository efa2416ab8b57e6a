/** `folkmoot doctor`: looks at everything that a home needs, and says what to fix. */
import {
  checkBroker,
  checkModel,
  checkNode,
  checkNodeRed,
  checkValkey,
  checkVersions,
  tryChosenModel,
  type Finding,
} from '../doctor/checks.ts';
import { splitLogin, withoutSecrets } from '../../engine/bus/login.ts';
import { withoutLogin } from '../ready.ts';
import { packageFolder, runningHome } from './addresses.ts';
import { readArgs, secondsOf, UsageError, type CommandIo } from './command.ts';
import { loginHelp, serverHelp, serverOf, serverOptions, type Server } from './server.ts';

export const summary = 'what works, and what to fix: broker, Valkey, model, home';

export const help = `folkmoot doctor [OPTIONS]

Checks Node.js and the installed packages, the broker (a message has to come
back), Valkey if one is used, the model, and the running home. Says what to do
about each that does not work. Exit code 0 when all work, else 1. What this user
may not do on the broker is a note only, unless the home has the same user.

${serverHelp}
  --valkey ADDRESS   redis://HOST:PORT; default: that of the running home, then
                     FOLKMOOT_VALKEY_URL; without one none is used
  --seconds NUMBER   how long each may take; default: 5
  --try-model        asks the model of FOLKMOOT_MODEL a few questions: how fast it
                     answers, whether it calls tools and keeps to a form
  --json             as JSON
  -h, --help         this text

${loginHelp}
`;

export async function run(args: readonly string[], io: CommandIo): Promise<number> {
  const { values } = readArgs({
    args: [...args],
    options: {
      ...serverOptions,
      valkey: { type: 'string' },
      seconds: { type: 'string', default: '5' },
      'try-model': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const timeoutMs = secondsOf('--seconds', values.seconds, [0.1, 60]);
  const home = await runningHome(io.env);
  const broker = await serverOf(values, io.env);
  const valkey = values.valkey ?? (io.env['FOLKMOOT_VALKEY_URL']?.trim() || home?.valkey || '');
  if (valkey && !URL.canParse(valkey))
    throw new UsageError(`"${withoutSecrets(valkey)}" is not an address such as redis://127.0.0.1:6379.`);
  const model = io.env['FOLKMOOT_MODEL']?.trim() ?? '';
  const checked = await Promise.all([
    Promise.resolve(checkNode()),
    checkVersions(packageFolder()),
    checkBroker(broker, timeoutMs, home !== undefined && isHomesLogin(broker, home.mqtt, io.env)),
    checkValkey(valkey, valkey ? withoutLogin(valkey) : ''),
    checkModel(model, io.env, timeoutMs),
    checkNodeRed(home?.editor, timeoutMs),
  ]);
  const tried = values['try-model'] ? await tryChosenModel(model, io.env) : [];
  const findings: readonly Finding[] = [...checked, ...tried];
  io.out.write(values.json ? `${JSON.stringify(findings, null, 2)}\n` : findings.map(line).join(''));
  return findings.every(({ isOk }) => isOk) ? 0 : 1;
}

/** Its address with user and password is what the home was told, as far as one can know. */
function isHomesLogin({ url, user, password }: Server, home: string, env: CommandIo['env']): boolean {
  const set = env['FOLKMOOT_MQTT_URL']?.trim() ?? '';
  const told = splitLogin(URL.canParse(set) ? set : home);
  return withoutLogin(url) === home && told.user === user && told.password === password;
}

const line = ({ what, isOk, isLimited, text, todo }: Finding): string =>
  `${isLimited ? 'note ' : isOk ? 'ok   ' : 'FAULT'} ${what.padEnd(8)} ${text}\n${todo ? `               ${todo}\n` : ''}`;
