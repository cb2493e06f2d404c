// A stored row of the helpdesk as JSON for a person. Guarantees: no value of a person is printed unless asked for with `plain`.
import type { ReadItem } from '../../lib/adapters/dynamodb/helpdesk/any-item.ts';

/** Ids, states, times and counts; any other value is not shown. */
const CLEAR =
  /^(id|workspaceId|ticketId|contactId|webhookId|eventId|runId|noteId|messageId|recordId|articleId|triggerMessageId|outputMessageId|resourceId|requestId|code|state|status|kind|type|trigger|priority|channel|direction|isInternal|active|disabledReason|events|action|source|resourceType|version|attempts|step|pass|phase|counts|tickets|messages|runs|deliveries|mails|messageCount|lastStatus|lastLatencyMs|provider|model|isThere|last|[a-z]\w*Ms)$/i;
/** What their fields say is judged one by one. */
const OPENED = new Set([
  'record',
  'outbox',
  'entry',
  'message',
  'event',
  'actor',
  'author',
  'webhooks',
  'counts',
]);

type Found = ReadItem & { readonly item: Readonly<Record<string, unknown>> };

export function printedHelpdeskRow({ item, what, read, problem }: Found, plain: boolean): string {
  const { pk, sk } = item;
  // A token is a word of somebody.
  const key = plain || what !== 'token' ? { pk, sk } : { pk: '***', sk: '***' };
  if (read === undefined) return json({ what, key, problem, attributes: plain ? item : Object.keys(item) });
  return json({ what, key, read: plain ? read : masked(read) });
}

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (inner === null || inner === undefined) return [name, inner];
      if (OPENED.has(name)) return [name, masked(inner)];
      return [name, CLEAR.test(name) ? inner : '***'];
    }),
  );
}

const json = (value: unknown): string =>
  JSON.stringify(
    value,
    (_, inner: unknown) => (inner instanceof Uint8Array ? Buffer.from(inner).toString('base64') : inner),
    2,
  );
