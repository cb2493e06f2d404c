// A stored row as JSON for a person. Guarantees: no value of a person is printed unless asked for with `plain`, from rows
// that nobody can read neither; what is sealed stays sealed.
import { hash } from 'node:crypto';
import type { RawBatchItem } from '../../lib/adapters/dynamodb/events/batches/raw-item.ts';
import type { RawRow } from '../../lib/adapters/dynamodb/events/rows/raw-row.ts';

/** Attributes that say nothing of a person; see event-item.ts and batch-item.ts. Any other is shown by its length and digest. */
const CLEAR_ATTRIBUTES = new Set([
  'pk',
  'sk',
  'tp',
  'ts',
  'ph',
  'dp',
  'da',
  'st',
  'rv',
  'rn',
  'sw',
  'er',
  'hu',
  'bt',
  'd',
  'v',
  'i',
] as const) as ReadonlySet<string>;
const CLEAR_BODY_FIELDS: ReadonlySet<string> = new Set([
  'event_id',
  'event_name',
  'event_time',
  'source',
  'action_source',
  'order_id',
  'value',
  'currency',
  'consent',
]);

/**
 * `plain`: bodies, and attributes nobody can read, as they are. `outcomesProblem`: why what became of a row of a batch is not
 * shown.
 */
export function printedRow({ item, row, problem }: RawRow, plain: boolean, outcomesProblem?: string): string {
  if (row === undefined) return json({ problem, attributes: plain ? item : maskedAttributes(item) });
  if (row.state === 'accepted' && !plain) return json({ ...row, body: maskedBody(row.body) });
  return json(outcomesProblem === undefined ? row : { problem: outcomesProblem, row });
}

/** Ids of events are all that a batch says of a person. */
export function printedBatchItem({ item, read, problem }: RawBatchItem, plain: boolean): string {
  return json(read ?? { problem, attributes: plain ? item : maskedAttributes(item) });
}

function maskedAttributes(item: RawRow['item']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      CLEAR_ATTRIBUTES.has(name) && !(value instanceof Uint8Array && name !== 'ph')
        ? value
        : fingerprint(value),
    ]),
  );
}

const maskedBody = (body: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, CLEAR_BODY_FIELDS.has(name) ? value : '***']),
  );

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
