/** Config node: which model answers. Blank everywhere means `rules`: words and rules, no AI model. */
import { createModel } from '../../engine/model/catalogue.ts';
import type { EvaluateCondition, Model, ScriptLine } from '../../engine/model/model.ts';
import { folkmootError } from '../../engine/errors.ts';
import { defineNode } from '../shared/define-node.ts';
import { evaluateExpression, prepareExpression } from '../shared/jsonata.ts';
import type { Red, RedNode } from '../shared/red.ts';
import { modelFields } from './model.fields.ts';
import { rememberAddress, serveTry } from './try-endpoint.ts';

const models = new WeakMap<object, Model>();
const rules = createModel({ provider: 'rules' });

/** The model that a node uses. @param id Of the config node; blank: `rules`. Throws FOLKMOOT_MISSING_CONFIG. */
export function modelOf(RED: Red, id: string): Model {
  if (!id) return rules;
  const node = RED.nodes.getNode(id);
  const model = node ? models.get(node) : undefined;
  if (!model) throw folkmootError('FOLKMOOT_MISSING_CONFIG', 'The chosen model is missing or disabled.');
  return model;
}

export default function model(RED: Red): void {
  serveTry(RED);
  defineNode(RED, {
    type: 'folkmoot-model',
    fields: modelFields,
    credentials: { apiKey: { type: 'password' } },
    start({ node, config, credentials }) {
      const { name: _name, settingsVersion: _version, fallbackModel, script, ...settings } = config;
      rememberAddress(node, config);
      models.set(
        node,
        createModel(
          {
            ...settings,
            script: script as readonly ScriptLine[],
            ...(credentials['apiKey'] ? { apiKey: credentials['apiKey'] } : {}),
          },
          // Looked up when it is needed: it may be made after this one, or anew by a deploy.
          fallbackModel ? () => modelOf(RED, fallbackModel) : undefined,
          { evaluate: conditionsFor(RED, node) },
        ),
      );
      return {};
    },
  });
}

/** Conditions of canned answers, each prepared once. */
function conditionsFor(RED: Red, node: RedNode): EvaluateCondition {
  const prepared = new Map<string, unknown>();
  return async (condition, scope) => {
    if (!prepared.has(condition)) prepared.set(condition, prepareExpression(RED, node, condition));
    return evaluateExpression(RED, prepared.get(condition), scope);
  };
}
