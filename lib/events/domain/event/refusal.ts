// Why a merchant's events were refused, as a short closed list, so that the number of counters is bounded: an error
// code of the catalogue, and for a schema error the first wrong field. Never a value.
import type { EventBody } from './event.ts';

/** Codes of answers that a merchant can do something about. An unknown path, or a failure of ours, is not one. */
export const REFUSAL_REASONS = [
  'invalid_json',
  'invalid_request',
  'payload_too_large',
  'unsupported_media_type',
  'unauthorized',
  'forbidden',
  'merchant_mismatch',
  'browser_ingestion_disabled',
  'origin_not_allowed',
  'duplicate_event',
  'rate_limited',
  'browser_limit_reached',
  'event_limit_reached',
] as const;

export type RefusalReason = (typeof REFUSAL_REASONS)[number];

type EventField = Exclude<keyof EventBody, 'unknown_properties' | 'internal'>;

/** Of the event, of the body around it, and of a message of Segment's. A nested field counts as its top-level field. */
const FIELDS = {
  event_id: true,
  event_name: true,
  event_time: true,
  merchant_id: true,
  source: true,
  user_data: true,
  app: true,
  value: true,
  currency: true,
  order_id: true,
  items: true,
  event_source_url: true,
  referrer_url: true,
  action_source: true,
  consent: true,
  custom_data: true,
  events: true,
  batch: true,
  type: true,
  timestamp: true,
  userId: true,
} as const satisfies Readonly<Record<EventField, true>> & Readonly<Record<string, true>>;

export type RefusalField = keyof typeof FIELDS;
export const REFUSAL_FIELDS = Object.keys(FIELDS) as [RefusalField, ...RefusalField[]];

/** Names a counter: a reason, or for `invalid_request` with a known field a dot and that field. */
export type RefusalName = RefusalReason | `.${RefusalField}`;

export interface Refusal {
  readonly reason: RefusalReason;
  readonly field?: RefusalField;
}

const REASONS: ReadonlySet<string> = new Set(REFUSAL_REASONS);
const isReason = (name: string): name is RefusalReason => REASONS.has(name);
const isField = (name: string): name is RefusalField => Object.hasOwn(FIELDS, name);

/** Null if it is not counted. */
export function refusalName(
  code: string | undefined,
  details: readonly { readonly path: string }[] = [],
): RefusalName | null {
  if (code === undefined || !isReason(code)) return null;
  if (code !== 'invalid_request') return code;
  const [field = ''] = (details[0]?.path ?? '').split('.', 1);
  return isField(field) ? `.${field}` : code;
}

/** Null for a name that this release does not know. */
export function parseRefusal(name: string): Refusal | null {
  const field = name.slice(1);
  if (name.startsWith('.')) return isField(field) ? { reason: 'invalid_request', field } : null;
  return isReason(name) ? { reason: name } : null;
}
