/** A device of the house, as people pick it and as commands reach it; plain JSON, kept with the language. */
import type { Scalar } from '../moot.ts';

/** What people call its sort; decides which function it belongs to. */
export const deviceKinds = [
  'light',
  'switch',
  'blind',
  'heating',
  'fan',
  'lock',
  'garage door',
  'alarm',
  'valve',
  'number',
  'choice',
  'button',
  'sensor',
] as const;
export type DeviceKind = (typeof deviceKinds)[number];

/** How a value becomes what the device expects. */
export interface Send {
  /** Where to. */
  readonly topic: string;
  /** The place of the value in a JSON payload: `["color", "hex"]`. Settings of one topic go out in one payload. */
  readonly path?: readonly string[];
  /** A text payload in place of JSON, with `{value}` for the value. Neither: the value alone. */
  readonly text?: string;
  /** What else is sent in the same payload. */
  readonly with?: Readonly<Record<string, unknown>>;
  /** Sent in a message of its own, before or after the others. */
  readonly order?: 'first' | 'last';
  readonly retain?: boolean;
}

/** One thing that can be set. */
export interface DeviceSetting {
  /** A word of ours: `state`, `brightness`, `position`, `tilt`, `temperature`, `mode` … */
  readonly what: string;
  readonly type: 'choice' | 'number';
  /** Of a choice: what people say and what is sent. */
  readonly values?: Readonly<Record<string, unknown>>;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly step?: number;
  readonly unit?: string;
  /** Of a number: the ends of the device's own range for `minimum` and `maximum`, where they are others. */
  readonly wire?: readonly [number, number];
  /** Of a number: the device counts in mired, people in kelvin. */
  readonly isMired?: boolean;
  readonly send: Send;
}

/** One thing that it tells. */
export interface DeviceReading {
  /** A word of ours, else the device's own in words: `temperature`, `contact`. */
  readonly what: string;
  readonly topic: string;
  /** Its place in the JSON payload; empty: the payload itself. */
  readonly path: readonly string[];
  readonly unit?: string;
  /** The ends of its own range, which count from 0 to 100 for people. */
  readonly wire?: readonly [number, number];
  /** The device's own values in words: `true` → `detected`. */
  readonly words?: Readonly<Record<string, string>>;
}

export interface Device {
  /** Of its source, so that it is known again under another name. */
  readonly id: string;
  readonly source: 'zigbee2mqtt' | 'discovery';
  /** What people call it; no two of a house have the same. */
  readonly name: string;
  readonly room?: string;
  readonly aliases: readonly string[];
  readonly kind: DeviceKind;
  /** A critical one is never set without a row or a person that says so. */
  readonly risk: 'read' | 'reversible' | 'critical';
  readonly settings: readonly DeviceSetting[];
  readonly readings: readonly DeviceReading[];
}

/** A device that can't be offered, with the reason in words. */
export interface Skipped {
  readonly name: string;
  readonly why: string;
}

export interface FoundDevices {
  readonly devices: readonly Device[];
  readonly skipped: readonly Skipped[];
}

/** One message to a device. */
export interface DeviceMessage {
  readonly topic: string;
  readonly payload: string;
  readonly retain?: boolean;
}

export type DeviceValue = Scalar;
