import { choice, commonFields, text } from '../shared/fields.ts';

export const backboneFields = {
  ...commonFields,
  bus: choice(['in-process', 'mqtt'], 'in-process'),
  busUrl: text(),
  store: choice(['embedded'], 'embedded'),
  storeUrl: text(),
  /** Blank: `<userDir>/folkmoot`. */
  storePath: text(),
  /** Blank: the host's name. */
  house: text(),
} as const;
