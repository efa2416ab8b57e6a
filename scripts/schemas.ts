/** Writes docs/schemas: the JSON Schemas of all payloads, made of the constants by which they are checked. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { agentDocumentSchema } from '../engine/agent-documents/agent-document.ts';
import { amicaDatePattern } from '../engine/bus/amica-date.ts';
import {
  agentResponseSchema,
  conversationEndedSchema,
  conversationMessageSchema,
  userRequestSchema,
} from '../engine/bus/amica-schemas.ts';
import { ourSchemas } from '../engine/bus/our-schemas.ts';
import { minutesSchema } from '../engine/conversation/minutes.ts';

const draft = 'https://json-schema.org/draft/2020-12/schema';

const own = { agent: agentDocumentSchema };

const amica = {
  'amica-user-request': { title: 'UserRequest', ...userRequestSchema },
  'amica-agent-response': { title: 'AgentResponse', ...agentResponseSchema },
  'amica-conversation-ended': { title: 'ConversationEnded', ...conversationEndedSchema },
  'amica-conversation-message': { title: 'ConversationMessage', ...conversationMessageSchema },
  'amica-minutes': { title: 'Minutes', ...minutesSchema },
};

/** "toolCall" → tool-call. */
const fileNameOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Our own format as a pattern that every validator knows. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === 'format' && inner === 'amica-date' ? ['pattern', amicaDatePattern()] : [key, plain(inner)],
    ),
  );
}

/** By file name: the text of each file. */
export function publishedSchemas(): ReadonlyMap<string, string> {
  const all = [...Object.entries(ourSchemas).map(([name, schema]) => [fileNameOf(name), schema] as const)];
  const named = [...all, ...Object.entries(own), ...Object.entries(amica)].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(
    named.map(([name, schema]) => {
      const file = `${name}.json`;
      const body = { $schema: draft, $id: file, ...(plain(schema) as object) };
      return [file, `${JSON.stringify(body, null, 2)}\n`];
    }),
  );
}

export const schemasFolder = fileURLToPath(new URL('../docs/schemas', import.meta.url));

async function write(): Promise<void> {
  const schemas = publishedSchemas();
  await mkdir(schemasFolder, { recursive: true });
  for (const file of await readdir(schemasFolder)) if (!schemas.has(file)) await rm(path.join(schemasFolder, file));
  for (const [file, text] of schemas) await writeFile(path.join(schemasFolder, file), text);
  console.log(`Wrote ${schemas.size} schemas to docs/schemas.`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await write();
