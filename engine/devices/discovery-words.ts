/**
 * Short forms of MQTT discovery (Home Assistant's documentation, "MQTT discovery", supported abbreviations), as far as they
 * are read here, and a payload with all of them and `~` written out.
 */

const endings: Readonly<Record<string, string>> = {
  cmd_t: 'command_topic',
  cmd_tpl: 'command_template',
  stat_t: 'state_topic',
  stat_tpl: 'state_template',
  val_tpl: 'value_template',
};

/** Beginnings that stand before these endings. */
const beginnings: Readonly<Record<string, string>> = {
  bri: 'brightness',
  clr_temp: 'color_temp',
  rgb: 'rgb',
  hs: 'hs',
  xy: 'xy',
  fx: 'effect',
  pct: 'percentage',
  pr_mode: 'preset_mode',
  mode: 'mode',
  fan_mode: 'fan_mode',
  temp: 'temperature',
  hum: 'target_humidity',
  tilt: 'tilt',
  osc: 'oscillation',
};

const single: Readonly<Record<string, string>> = {
  avty: 'availability',
  avty_t: 'availability_topic',
  bri_scl: 'brightness_scale',
  cmps: 'components',
  fx_list: 'effect_list',
  curr_temp_t: 'current_temperature_topic',
  curr_temp_tpl: 'current_temperature_template',
  curr_hum_t: 'current_humidity_topic',
  curr_hum_tpl: 'current_humidity_template',
  dev: 'device',
  dev_cla: 'device_class',
  ent_cat: 'entity_category',
  max_mirs: 'max_mireds',
  min_mirs: 'min_mireds',
  max_k: 'max_kelvin',
  min_k: 'min_kelvin',
  clr_temp_k: 'color_temp_kelvin',
  obj_id: 'object_id',
  on_cmd_type: 'on_command_type',
  ops: 'options',
  p: 'platform',
  pl_off: 'payload_off',
  pl_on: 'payload_on',
  pl_open: 'payload_open',
  pl_cls: 'payload_close',
  pl_stop: 'payload_stop',
  pl_lock: 'payload_lock',
  pl_unlk: 'payload_unlock',
  pl_prs: 'payload_press',
  pl_arm_away: 'payload_arm_away',
  pl_arm_home: 'payload_arm_home',
  pl_arm_nite: 'payload_arm_night',
  pl_disarm: 'payload_disarm',
  pos_clsd: 'position_closed',
  pos_open: 'position_open',
  pos_t: 'position_topic',
  pos_tpl: 'position_template',
  set_pos_t: 'set_position_topic',
  set_pos_tpl: 'set_position_template',
  pr_modes: 'preset_modes',
  ret: 'retain',
  schema: 'schema',
  spd_rng_min: 'speed_range_min',
  spd_rng_max: 'speed_range_max',
  stat_locked: 'state_locked',
  stat_unlocked: 'state_unlocked',
  sup_clrm: 'supported_color_modes',
  temp_unit: 'temperature_unit',
  tilt_clsd_val: 'tilt_closed_value',
  tilt_opnd_val: 'tilt_opened_value',
  tilt_max: 'tilt_max',
  tilt_min: 'tilt_min',
  tilt_status_t: 'tilt_status_topic',
  uniq_id: 'unique_id',
  unit_of_meas: 'unit_of_measurement',
};

const ofDevice: Readonly<Record<string, string>> = {
  ids: 'identifiers',
  cns: 'connections',
  mf: 'manufacturer',
  mdl: 'model',
  sa: 'suggested_area',
};

function longName(key: string): string {
  const known = single[key] ?? endings[key];
  if (known) return known;
  for (const [short, long] of Object.entries(endings)) {
    const beginning = key.endsWith(`_${short}`) ? key.slice(0, -short.length - 1) : undefined;
    if (beginning !== undefined && beginnings[beginning]) return `${beginnings[beginning]}_${long}`;
  }
  return key;
}

export type Config = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Config =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** With long names, and topics that begin or end with `~` made whole; components of a device too. */
export function writtenOut(given: Config, base = ''): Config {
  const own = typeof given['~'] === 'string' ? given['~'] : base;
  return Object.fromEntries(
    Object.entries(given)
      .filter(([key]) => key !== '~')
      .map(([short, value]) => {
        const key = longName(short);
        if (key === 'device' && isObject(value))
          return [key, Object.fromEntries(Object.entries(value).map(([name, one]) => [ofDevice[name] ?? name, one]))];
        if (key === 'components' && isObject(value))
          return [
            key,
            Object.fromEntries(
              Object.entries(value).map(([name, one]) => [name, isObject(one) ? writtenOut(one, own) : one]),
            ),
          ];
        return [key, key.endsWith('topic') && typeof value === 'string' ? withBase(value, own) : value];
      }),
  );
}

const withBase = (topic: string, base: string): string => {
  if (topic.startsWith('~')) return `${base}${topic.slice(1)}`;
  return topic.endsWith('~') ? `${topic.slice(0, -1)}${base}` : topic;
};
