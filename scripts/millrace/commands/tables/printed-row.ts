// A stored row as JSON for a person. Guarantees: no value of a person is printed unless asked for with `plain`, from rows
// that nobody can read neither; what is sealed stays sealed.
import { hash } from 'node:crypto';
import type { RawBatchItem } from '#lib/adapters/dynamodb/events/batches/raw-item.ts';
import type { RawRow } from '#lib/adapters/dynamodb/events/rows/raw-row.ts';
import type { ReadItem } from '#lib/adapters/dynamodb/helpdesk/any-item.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Attributes that say nothing of a person; see event-item.ts and batch-item.ts. Any other is shown by its length and digest. */
const CLEAR_ATTRIBUTES = words('pk sk tp ts ph dp da st rv rn sw er hu bt d v i');
const CLEAR_BODY_FIELDS = words(
  'event_id event_name event_time source action_source order_id value currency consent',
);
/** Of records of the helpdesk: ids, states, times and counts. */
const CLEAR_FIELDS =
  /^(id|workspaceId|ticketId|contactId|webhookId|eventId|runId|noteId|messageId|recordId|articleId|triggerMessageId|outputMessageId|resourceId|requestId|code|state|status|kind|type|trigger|priority|channel|direction|isInternal|active|disabledReason|events|action|source|resourceType|version|attempts|step|pass|phase|counts|tickets|messages|runs|deliveries|mails|messageCount|lastStatus|lastLatencyMs|provider|model|isThere|last|[a-z]\w*Ms)$/i;
/** What their fields say is judged one by one. */
const OPENED_FIELDS = words('record outbox entry message event actor author webhooks counts');

/**
 * `plain`: bodies, and attributes nobody can read, as they are. `outcomesProblem`: why what became of a row of a batch is not
 * shown.
 */
export function printedRow({ item, row, problem }: RawRow, plain: boolean, outcomesProblem?: string): string {
  if (row === undefined) return unreadable(item, plain, problem);
  if (row.state === 'accepted' && !plain) return json({ ...row, body: maskedBody(row.body) });
  return json(outcomesProblem === undefined ? row : { problem: outcomesProblem, row });
}

/** Ids of events are all that a batch says of a person. */
export const printedBatchItem = ({ item, read, problem }: RawBatchItem, plain: boolean): string =>
  read === undefined ? unreadable(item, plain, problem) : json(read);

type HelpdeskItem = ReadItem & { readonly item: Readonly<Record<string, unknown>> };

export function printedHelpdeskRow({ item, what, read, problem }: HelpdeskItem, plain: boolean): string {
  const { pk, sk } = item;
  // A token is a word from a name, an address or a text.
  const key = plain || what !== 'token' ? { pk, sk } : { pk: '***', sk: '***' };
  if (read === undefined) return json({ what, key, problem, attributes: plain ? item : Object.keys(item) });
  return json({ what, key, read: plain ? read : maskedRecord(read) });
}

function unreadable(item: RawRow['item'], plain: boolean, problem: string | undefined): string {
  const isClear = (name: string, value: unknown): boolean =>
    CLEAR_ATTRIBUTES.has(name) && !(value instanceof Uint8Array && name !== 'ph');
  const masked = Object.entries(item).map(([name, value]) => [
    name,
    isClear(name, value) ? value : fingerprint(value),
  ]);
  return json({ problem, attributes: plain ? item : Object.fromEntries(masked) });
}

const maskedBody = (body: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, CLEAR_BODY_FIELDS.has(name) ? value : '***']),
  );

function maskedRecord(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskedRecord);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (inner === null || inner === undefined) return [name, inner];
      if (OPENED_FIELDS.has(name)) return [name, maskedRecord(inner)];
      return [name, CLEAR_FIELDS.test(name) ? inner : '***'];
    }),
  );
}

/** The first byte of packed bytes is their format. */
function fingerprint(value: unknown): unknown {
  const bytes = value instanceof Uint8Array ? value : Buffer.from(JSON.stringify(value) ?? '');
  return {
    masked: value instanceof Uint8Array ? 'bytes' : typeof value,
    length: bytes.byteLength,
    ...(value instanceof Uint8Array ? { firstByte: bytes[0] } : {}),
    sha256: hash('sha256', bytes),
  };
}

const json = (value: unknown): string =>
  JSON.stringify(
    value,
    (_, inner: unknown) => (inner instanceof Uint8Array ? Buffer.from(inner).toString('base64') : inner),
    2,
  );
