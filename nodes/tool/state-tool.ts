/** The tool that tells what the house is like: its values are those that are known at the moment of asking. */
import type { HouseState } from '../../engine/events/house-state.ts';
import { houseStateTool } from '../../engine/tools/packs/house-state.ts';
import { toolCard, toolNameFrom, type ToolCard } from '../../engine/tools/tool-card.ts';
import { leaseBackbone } from '../backbone/lease.ts';
import type { NodeKit } from '../shared/define-node.ts';
import { houseStateOf } from '../shared/house-state.ts';
import { processClock } from '../shared/process.ts';
import { makeTool, type MadeTool } from './tool-settings.ts';
import type { toolFields } from './tool.fields.ts';

type ToolKit = NodeKit<typeof toolFields>;

/** A tool whose card may change while it stands. */
export interface StandingTool {
  /** Nothing: there is nothing to tell yet. */
  readonly card: () => ToolCard | undefined;
  readonly builtIn?: MadeTool['builtIn'];
  close(): Promise<void>;
}

/** Throws FOLKMOOT_BAD_SETTING, FOLKMOOT_MISSING_CONFIG. */
export function standingTool(kit: ToolKit): StandingTool {
  if (kit.config.builtIn === 'state') return stateTool(kit);
  const { card, builtIn } = makeTool(kit.id, kit.config);
  return { card: () => card, ...(builtIn ? { builtIn } : {}), close: () => Promise.resolve() };
}

function stateTool(kit: ToolKit): StandingTool {
  const { RED, config } = kit;
  const lease = leaseBackbone(RED, config.backbone);
  let state: HouseState | undefined;
  let made: { readonly places: string; readonly card: ToolCard } | undefined;
  lease.ready
    .then(async (backbone) => {
      const found = houseStateOf(RED, backbone);
      await found.ready;
      state = found;
    })
    .catch((error: unknown) => {
      if (!kit.signal.aborted) kit.error(error);
    });
  const toolNow = () => houseStateTool(state?.all() ?? [], processClock.now(), config.properties);
  return {
    card() {
      const { settings } = toolNow();
      const where = settings.parameters.find(({ name }) => name === 'where');
      if (!where?.allowedValues?.length) return undefined;
      const places = JSON.stringify(where.allowedValues);
      // The same card as long as it would say the same: what is made of it is kept by it.
      if (made?.places !== places) made = { places, card: cardOf(kit, settings) };
      return made.card;
    },
    builtIn: {
      settings: { ...toolNow().settings, timeoutMs: 0 },
      run: (given) => Promise.resolve(toolNow().run(given)),
    },
    close: () => lease.release(),
  };
}

function cardOf({ id, config }: ToolKit, settings: ReturnType<typeof houseStateTool>['settings']): ToolCard {
  return toolCard(id, {
    ...settings,
    name: config.name ? toolNameFrom(config.name) : settings.name,
    description: config.description || settings.description,
    timeoutMs: config.timeLimitSeconds * 1000,
  });
}
