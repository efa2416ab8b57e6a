/** Caps of what is read of devices. */
export const deviceLimits = {
  /** Devices of a list. */
  devices: 500,
  /** Things that one device exposes, at one depth. */
  exposes: 200,
  /** How deep they may be nested. */
  depth: 5,
  /** How long a broker may take to acknowledge what is sent to a device. */
  acknowledgeMs: 5_000,
  /** Looking around ends when nothing new came for so long, and after so long at the latest. */
  quietMs: 400,
  lookMs: 8_000,
} as const;
