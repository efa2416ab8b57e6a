/**
 * What a message on A.M.I.C.A.'s topics must be, so that no Java agent goes deaf by it: one exception in a callback ends
 * that subscription for ever (seed-contracts.md A3, A4, A10). Written from the Java readers' rules, not from our code.
 */
export interface Wire {
  readonly topic: string;
  readonly body: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly isRetained: boolean;
}

const packageName = 'es.nachobrito.amica.domain.model.message.payload';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** ISO_ZONED_DATE_TIME as Java 17 reads it: an offset with a colon, or Z. */
const javaDate = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2}(?:\[[^\]]+\])?)$/;

const kinds = [
  { topic: /^\/es\/nachobrito\/amica\/user\/request\/v1$/, name: 'UserRequest' },
  { topic: /^\/es\/nachobrito\/amica\/system\/event\/v1$/, name: 'ConversationEnded' },
  { topic: /^\/es\/nachobrito\/amica\/replies\/[^/+#.]+$/, name: 'AgentResponse' },
] as const;

/** All that is wrong with a message, in words; none when a Java agent reads it. */
export function javaFaults({ topic, body, properties, isRetained }: Wire): string[] {
  const kind = kinds.find((one) => one.topic.test(topic));
  if (!kind) return [`nothing of ours belongs on ${topic}`];
  const faults: string[] = [];
  const must = (isSo: boolean, fault: string) => void (isSo || faults.push(fault));
  must(!isRetained, 'it is retained');
  must(uuid.test(String(properties['MESSAGE_ID'])), 'MESSAGE_ID is no random UUID');
  must(/^[^\s.+#/]+$/.test(String(properties['CONVERSATION_ID'] ?? '')), 'CONVERSATION_ID is missing or unusable');
  must(properties['PAYLOAD_TYPE'] === `${packageName}.${kind.name}`, `PAYLOAD_TYPE is not that of ${kind.name}`);
  let fields: Readonly<Record<string, unknown>>;
  try {
    fields = JSON.parse(body) as Readonly<Record<string, unknown>>;
  } catch {
    return [...faults, 'the body is no JSON'];
  }
  const isText = (name: string) => typeof fields[name] === 'string' && fields[name].trim() !== '';
  if (kind.name === 'ConversationEnded') must(isText('conversationId'), 'conversationId is missing');
  else {
    must(typeof fields['message'] === 'string', 'message is missing');
    must(
      isText('dateTime') && javaDate.test(String(fields['dateTime'])),
      'dateTime is missing or not as Java reads it',
    );
  }
  if (kind.name === 'UserRequest') must(isText('userName') && isText('message'), 'userName or message is blank');
  if (kind.name === 'AgentResponse') {
    const number = fields['sequenceNumber'] as { readonly value?: unknown } | undefined;
    must(typeof fields['isComplete'] === 'boolean', 'isComplete is missing');
    must(typeof number === 'object' && Number.isInteger(number?.value), 'sequenceNumber is no object with a number');
    must(Number(number?.value) >= 1, 'sequenceNumber begins below 1');
  }
  return faults;
}
