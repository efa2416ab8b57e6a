/**
 * What the button *Add my devices* asks. `POST folkmoot-admin/devices/look` (`{ backbone }` or `{ pasted }`, and `base`): the
 * devices that a backbone's broker or a pasted list tells of. `POST folkmoot-admin/devices/functions` (`{ functions, devices,
 * earlier }`): the list of functions with what these devices can do. Both answer `{ fault }` in words where they can't.
 */
import { checkedDevices } from '../../engine/devices/check-devices.ts';
import { lookAround, readPasted, type Found } from '../../engine/devices/look-around.ts';
import { withDeviceFunctions } from '../../engine/devices/merge-functions.ts';
import { whenUp } from '../../engine/bus/when-up.ts';
import { asError, errorTable, folkmootError } from '../../engine/errors.ts';
import type { FunctionSpec } from '../../engine/language/function-spec.ts';
import { createLanguage } from '../../engine/language/language.ts';
import { leaseBackbone } from '../backbone/lease.ts';
import { processClock } from '../shared/process.ts';
import type { Red } from '../shared/red.ts';

interface Request {
  readonly body?: unknown;
}

interface Response {
  status(code: number): Response;
  json(body: unknown): unknown;
}

type Handler = (request: Request, response: Response, next: () => void) => unknown;

interface AdminRed {
  readonly httpAdmin?: { post(path: string, ...handlers: readonly Handler[]): unknown };
  readonly auth?: { needsPermission(permission: string): Handler };
}

type Body = Readonly<Record<string, unknown>>;

/** Looks that go on at once, and how long a broker may take to be there. */
const most = 4;
const connectMs = 5_000;

export function serveDevices(RED: Red): void {
  const { httpAdmin, auth } = RED as Red & AdminRed;
  if (!httpAdmin || !auth) return;
  const permission = () => auth.needsPermission('folkmoot.devices.write');
  let looking = 0;
  httpAdmin.post('/folkmoot-admin/devices/look', permission(), async ({ body }, response) => {
    if (looking >= most) return response.status(429).json({ fault: 'Somebody is looking already.' });
    looking += 1;
    try {
      response.json(await answered(() => look(RED, asBody(body))));
    } finally {
      looking -= 1;
    }
  });
  httpAdmin.post('/folkmoot-admin/devices/functions', permission(), async ({ body }, response) => {
    response.json(await answered(() => functionsWith(asBody(body))));
  });
}

const asBody = (body: unknown): Body => (typeof body === 'object' && body !== null ? (body as Body) : {});

async function answered<T extends object>(work: () => T | Promise<T>): Promise<T | { readonly fault: string }> {
  try {
    return await work();
  } catch (thrown) {
    const { message } = asError(thrown);
    const hint = Object.values(errorTable).find((one) => message.endsWith(one)) ?? '';
    return { fault: message.slice(0, message.length - hint.length).trim() };
  }
}

async function look(RED: Red, { backbone, pasted, base }: Body): Promise<Found> {
  const first = typeof base === 'string' && base.trim() ? { base: base.trim() } : {};
  if (typeof pasted === 'string' && pasted.trim()) return readPasted(pasted, first.base);
  const { signal } = new AbortController();
  const lease = leaseBackbone(RED, typeof backbone === 'string' ? backbone : '');
  try {
    const { bus } = await lease.ready;
    if (bus.kind === 'in-process')
      throw folkmootError('FOLKMOOT_BUS_NEEDS_BROKER', 'Devices are told of over an MQTT broker, and none is named.');
    await whenUp(bus, { clock: processClock, timeoutMs: connectMs, signal });
    return await lookAround(bus, { clock: processClock, signal, ...first });
  } finally {
    await lease.release();
  }
}

function functionsWith({ functions, devices, earlier }: Body): { readonly functions: readonly FunctionSpec[] } {
  const own = Array.isArray(functions) ? (functions as FunctionSpec[]) : [];
  const all = withDeviceFunctions(own, checkedDevices(devices), checkedDevices(earlier ?? []));
  return { functions: createLanguage(all).functions };
}
