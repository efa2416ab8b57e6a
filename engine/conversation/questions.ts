/**
 * Open questions to people: kept for five minutes under the conversation, and found for the same user on the same topic
 * when exactly one is open there, because A.M.I.C.A.'s command line begins a conversation with every line (contracts.md 3).
 */
import { isFolkmootError } from '../errors.ts';
import type { PendingQuestion } from '../model/model.ts';
import { limits } from '../limits.ts';
import type { OpenQuestions } from '../plan/run-ports.ts';
import type { RunRequest } from '../plan/run-request.ts';
import { keyPart, tagged } from '../store/keys.ts';
import type { Store } from '../store/store.ts';

/** What is kept of one: also which request led to it. */
type Kept = PendingQuestion & { readonly of?: string };

/** Who was asked, for an answer that comes in another conversation; nobody when neither user nor topic is known. */
const personOf = ({ user, topic }: RunRequest): string | undefined =>
  user || topic ? `${keyPart(user ?? '')}:${keyPart(topic ?? '')}` : undefined;

const questionKey = (conversation: string) => tagged(conversation, 'question');
const personKey = (house: string, person: string, conversation = '') =>
  tagged(house, 'questions', person, keyPart(conversation));

export function createQuestions(store: Store, house: string): OpenQuestions {
  const expiresInMs = limits.questionOpenMs;

  async function take(conversation: string): Promise<PendingQuestion | undefined> {
    const found = await store.get<Kept>(questionKey(conversation));
    if (!found) return undefined;
    const { of: _, ...question } = found.value;
    try {
      // Two answers at once: only the one that closes this very question is an answer.
      return (await store.delete(found.key, found.revision)) ? question : undefined;
    } catch (error) {
      if (isFolkmootError(error, 'FOLKMOOT_STORE_CONFLICT')) return undefined;
      throw error;
    }
  }

  return {
    async open(request, question) {
      const { conversation } = request;
      if (!conversation) return;
      const person = personOf(request);
      if (person) await store.put(personKey(house, person, conversation), { conversation }, { expiresInMs });
      const of = request.request?.id;
      const kept: Kept = { ...question, ...(of === undefined ? {} : { of }) };
      await store.put(questionKey(conversation), kept, { expiresInMs });
    },
    async withdraw(conversation, requestId) {
      const found = await store.get<Kept>(questionKey(conversation));
      if (found?.value.of === requestId) await take(conversation);
    },
    async take(request) {
      const own = request.conversation ? await take(request.conversation) : undefined;
      if (own) return own;
      const person = personOf(request);
      if (!person) return undefined;
      const places = await store.scan<{ conversation: string }>(personKey(house, person));
      const open: string[] = [];
      for (const { key, value } of places) {
        if (await store.get(questionKey(value.conversation))) open.push(value.conversation);
        else await store.delete(key);
      }
      const [only, ...others] = open;
      return only !== undefined && others.length === 0 ? take(only) : undefined;
    },
  };
}
