/** What the devices of the starter home have to be sent for a call, said here a second time on purpose. */
import type { Command } from './person.ts';

export interface Call {
  readonly function: string;
  readonly parameters: Readonly<Record<string, string | number>>;
}

type Parameters = Call['parameters'];

const commands: Readonly<Record<string, (given: Parameters) => Command>> = {
  SetLight: ({ room, state, brightness }) => ({
    topic: `zigbee2mqtt/${room}_light/set`,
    payload: {
      ...(state === undefined ? {} : { state: String(state).toUpperCase() }),
      ...(brightness === undefined ? {} : { brightness: Math.round(Number(brightness) * 2.54) }),
    },
  }),
  SetTemperature: ({ room, celsius }) => ({
    topic: `zigbee2mqtt/${room}_climate/set`,
    payload: { occupied_heating_setpoint: celsius },
  }),
  SetBlind: ({ room, position }) => ({ topic: `zigbee2mqtt/${room}_blind/set`, payload: { position } }),
  MowLawn: ({ area }) => ({ topic: 'home/lawn_mower/set', payload: { area } }),
  CollectWaste: ({ area }) => ({ topic: 'home/waste_robot/set', payload: { action: 'collect', area } }),
  TakeWasteToCollectionSite: ({ area, site_name: site }) => ({
    topic: 'home/waste_robot/set',
    payload: { action: 'take', area, site },
  }),
  TellPerson: ({ text }) => ({ topic: 'home/message/set', payload: { text } }),
};

/** Commands of calls; those for the board only send nothing. */
export function commandsOf(calls: readonly Call[]): Command[] {
  return calls.flatMap((call) => {
    const make = commands[call.function];
    return make ? [make(call.parameters)] : [];
  });
}

/** The same commands, in whatever order, read the same. */
export function inAnyOrder(list: readonly Command[]): string[] {
  return list.map(({ topic, payload }) => `${topic} ${JSON.stringify(payload)}`).sort();
}
