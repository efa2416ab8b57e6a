import { commonFields } from '../shared/fields.ts';

export const toolResultFields = { ...commonFields } as const;
