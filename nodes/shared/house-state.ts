/** What the sense nodes of one backbone saw last, shared by them and by the tools that tell it. */
import { createHouseState, type HouseState } from '../../engine/events/house-state.ts';
import type { Backbone } from '../backbone/lease.ts';
import { processClock } from './process.ts';
import type { Red } from './red.ts';

export const houseStateOf = (RED: Red, backbone: Backbone): HouseState =>
  backbone.once('house-state', () => {
    const { store, house } = backbone;
    const problem = (error: Error) => RED.log.warn(`[folkmoot] What the house is like can't be kept: ${error.message}`);
    const state = createHouseState({ store, house, clock: processClock, problem });
    backbone.onClose(() => state.close());
    return state;
  });
