/** One home for all specs that need nothing special of it: started by the first, closed at the end of the run. */
import { startHome, type HomeProcess } from './home-process.ts';
import { connectPerson, type Person } from './person.ts';

export interface SharedHome {
  readonly home: HomeProcess;
  readonly person: Person;
}

let shared: Promise<SharedHome> | undefined;

async function open(): Promise<SharedHome> {
  const home = await startHome();
  return { home, person: await connectPerson(home.ready.mqtt) };
}

export function sharedHome(): Promise<SharedHome> {
  shared ??= open();
  return shared;
}

after(async function () {
  this.timeout(30_000);
  const opened = await shared?.catch(() => undefined);
  await opened?.person.close();
  await opened?.home.stop();
});
