// A message of Segment's tracking API as an event, by the table in fields.ts. Pure. Guarantees: total for any JSON; no
// values are invented except Segment's own defaults (US dollars without a currency, quantity one); fields that the
// table does not name go to `custom_data`. The event's own schema validates the result, not this file.
import { hash } from 'node:crypto';
import { isObject, segmentConsent } from './consent.ts';
import {
  SEGMENT_APP_FIELDS,
  SEGMENT_CALLS,
  SEGMENT_DESTINATIONS,
  SEGMENT_FIELDS,
  SEGMENT_ITEM_FIELDS,
  type SegmentCall,
  type SegmentField,
} from './fields.ts';

type Json = Readonly<Record<string, unknown>>;

export interface SegmentEvent {
  /** As `POST /v1/events` takes it. Not validated. */
  readonly event: Json;
  /** Path in the event → path in the message, so that errors name the sender's field. */
  readonly cameFrom: ReadonlyMap<string, string>;
  /** The platforms that may have it; absent: all. */
  readonly onlyPlatforms?: readonly string[];
  /** Names of unknown consent categories that were refused: every signal is denied. Absent: none. */
  readonly unknownConsent?: readonly string[];
}

export interface SegmentProblem {
  readonly path: string;
  readonly message: string;
}

/** The limit of the event's schema. */
const FUTURE_MAX_MS = 600_000;
/** The limits of `app`. */
const APP_SIZE_MAX = 1e6;
const APP_TEXT_MAX_CHARS = 256;
const DECIMAL = /^\s*\d+(?:\.\d+)?\s*$/;
/**
 * Calls that identify a person or group instead of reporting an action: stored, shown and searched, but not sent to any
 * platform.
 */
const NO_PLATFORM: readonly SegmentCall[] = ['identify', 'group', 'alias'];
const NAMES: Readonly<Record<Exclude<SegmentCall, 'track'>, string>> = {
  page: 'PageView',
  screen: 'PageView',
  identify: 'Identify',
  group: 'Group',
  alias: 'Alias',
};

/**
 * `call` comes from the path; in a batch each message has its own. `uuid` names a message that has neither id nor time.
 */
export function segmentEvent(
  message: unknown,
  call: SegmentCall | undefined,
  context: { readonly nowMs: number; readonly sentAt: unknown; readonly uuid: () => string },
): SegmentEvent | SegmentProblem {
  if (!isObject(message)) return noObject('');
  const type = call ?? message.type;
  if (!isCall(type)) return { path: 'type', message: `must be one of ${SEGMENT_CALLS.join(', ')}` };
  if (isAbsent(message.userId) && isAbsent(message.anonymousId))
    return { path: 'userId', message: 'userId or anonymousId is required' };
  // Of another shape they may have been meant to keep platforms out.
  const { context: said, integrations } = message;
  if (!isObject(said ?? {})) return noObject('context');
  if (!isObject(integrations ?? {})) return noObject('integrations');
  const draft = new Draft(message);
  draft.set('event_id', 'messageId', message.messageId ?? idOf(message, context.uuid));
  if (type === 'track') draft.set('event_name', 'event', message.event);
  else draft.set('event_name', 'type', NAMES[type]);
  const time = timeOf(message, context);
  if ('message' in time) return time;
  draft.set('event_time', time.path, time.value);
  draft.set('source', 'type', 'segment');
  draft.set('user_data', 'context', {});
  for (const field of SEGMENT_FIELDS) draft.take(field);
  if (draft.event.value !== undefined && draft.event.currency === undefined)
    draft.set('currency', 'properties.currency', 'USD');
  if (type === 'screen' || isObject(at(message, 'context.app'))) {
    draft.set('action_source', 'context.app', 'app');
    for (const field of SEGMENT_APP_FIELDS) draft.takeOfApp(field);
  }
  const unknownConsent = draft.takeConsent();
  draft.takeItems();
  draft.takeRest(type);
  const onlyPlatforms = NO_PLATFORM.includes(type) ? [] : chosenPlatforms(integrations);
  return {
    event: draft.event,
    cameFrom: draft.cameFrom,
    ...(onlyPlatforms === undefined ? {} : { onlyPlatforms }),
    ...(unknownConsent.length === 0 ? {} : { unknownConsent }),
  };
}

class Draft {
  readonly event: Record<string, unknown> = {};
  readonly cameFrom = new Map<string, string>();
  private readonly message: Json;
  private readonly taken = new Set<string>();

  constructor(message: Json) {
    this.message = message;
  }

  set(to: string, from: string, value: unknown): void {
    this.cameFrom.set(to, from);
    if (value === undefined || value === null) return;
    const names = to.split('.');
    const last = names.pop() ?? '';
    let parent = this.event;
    for (const name of names) {
      parent[name] ??= {};
      parent = parent[name] as Record<string, unknown>;
    }
    parent[last] = value;
  }

  take(field: SegmentField): void {
    const found = firstOf(this.message, field);
    if (found === undefined) return;
    this.set(field.to, found.path, found.value);
    this.taken.add(found.path);
  }

  /** What a device says of itself never keeps an event out: what is of another type or size is left out. */
  takeOfApp(field: SegmentField): void {
    const found = firstOf(this.message, field);
    if (found === undefined) return;
    const { path, value } = found;
    const said = ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
    if (field.isNumber === true) {
      const isSize = typeof value === 'number' && value >= 0 && value <= APP_SIZE_MAX;
      if (isSize) this.set(field.to, path, value);
    } else if (field.words !== undefined) {
      const word = said.toLowerCase();
      if (Object.hasOwn(field.words, word)) this.set(field.to, path, field.words[word]);
    } else if (said !== '' && said.length <= APP_TEXT_MAX_CHARS) this.set(field.to, path, said);
  }

  /** Unknown category names that were refused. */
  takeConsent(): readonly string[] {
    const { context } = this.message;
    const { signals, unknown } = segmentConsent(isObject(context) ? context : {});
    for (const [signal, { path, value }] of signals) this.set(`consent.${signal}`, path, value);
    return unknown;
  }

  /** A product without an id is left out: Segment allows it, but no platform can use it. */
  takeItems(): void {
    const { properties } = this.message;
    if (!isObject(properties)) return;
    const { products } = properties;
    const isList = Array.isArray(products);
    const items = (isList ? products : [properties]).filter(isObject).flatMap((product) => {
      const item: Record<string, unknown> = {};
      for (const field of SEGMENT_ITEM_FIELDS) {
        if (!isList && field.to === 'id' && product.product_id === undefined && product.sku === undefined)
          continue;
        const found = firstOf(product, field);
        if (found !== undefined) item[field.to] = found.value;
      }
      return item.id === undefined ? [] : [{ quantity: 1, ...item }];
    });
    if (items.length === 0) return;
    this.set('items', isList ? 'properties.products' : 'properties', items);
    if (isList) this.taken.add('properties.products');
  }

  takeRest(type: SegmentCall): void {
    const root = type === 'identify' || type === 'group' ? 'traits' : 'properties';
    const all = this.message[root];
    const named = isAbsent(this.message.name) ? [] : [['name', this.message.name] as const];
    const rest = Object.entries(isObject(all) ? all : {}).filter(
      ([name]) => !this.taken.has(`${root}.${name}`) && !(root === 'traits' && name === 'address'),
    );
    if (rest.length + named.length > 0)
      this.set('custom_data', root, Object.fromEntries([...named, ...rest]));
  }
}

/** In seconds. */
function timeOf(
  message: Json,
  { nowMs, sentAt }: { readonly nowMs: number; readonly sentAt: unknown },
): { readonly path: string; readonly value: number } | SegmentProblem {
  const path = ['timestamp', 'originalTimestamp'].find((name) => !isAbsent(message[name]));
  if (path === undefined) return { path: 'timestamp', value: Math.floor(nowMs / 1_000) };
  const stamp = message[path];
  const ms = typeof stamp === 'string' ? Date.parse(stamp) : Number.NaN;
  if (Number.isNaN(ms))
    return { path, message: 'must be a time such as 2026-11-21T12:00:00.000Z (ISO 8601)' };
  if (ms <= nowMs + FUTURE_MAX_MS) return { path, value: Math.floor(ms / 1_000) };
  // The sender's clock is ahead: the time between the event and its sending is still right, and Segment corrects it in
  // the same way.
  const sentMs = Date.parse(String(message.sentAt ?? sentAt ?? ''));
  return { path, value: Math.floor((Number.isNaN(sentMs) ? ms : Math.min(ms, nowMs - sentMs + ms)) / 1_000) };
}

/** With a timestamp, the same message sent twice gets one id; without one, two messages may be two events. */
function idOf(message: Json, uuid: () => string): string {
  if (isAbsent(message.timestamp) && isAbsent(message.originalTimestamp)) return `segment-${uuid()}`;
  const { sentAt: _sentAt, writeKey: _writeKey, ...said } = message;
  return `segment-${hash('sha256', JSON.stringify(said), 'hex').slice(0, 40)}`;
}

const noObject = (path: string): SegmentProblem => ({ path, message: 'must be an object' });

/** Undefined: all platforms. */
function chosenPlatforms(integrations: unknown): readonly string[] | undefined {
  if (!isObject(integrations)) return undefined;
  const switches = new Map(Object.entries(integrations).map(([name, on]) => [folded(name), on !== false]));
  const slugs = Object.keys(SEGMENT_DESTINATIONS);
  const byDefault = switches.get('all') ?? true;
  const chosen = slugs.filter((slug) => {
    const names = [slug, ...(SEGMENT_DESTINATIONS[slug] ?? [])].map(folded);
    const said = names.map((name) => switches.get(name)).filter((on) => on !== undefined);
    return said.length === 0 ? byDefault : said.some((on) => on);
  });
  return chosen.length === slugs.length ? undefined : chosen;
}

const folded = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

function firstOf(
  source: Json,
  { from, isNumber }: SegmentField,
): { readonly path: string; readonly value: unknown } | undefined {
  const path = from.find((candidate) => !isAbsent(at(source, candidate)));
  if (path === undefined) return undefined;
  const value = at(source, path);
  if (isNumber && typeof value === 'string' && DECIMAL.test(value)) return { path, value: Number(value) };
  return { path, value };
}

function at(source: unknown, path: string): unknown {
  let value = source;
  for (const name of path.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';
const isCall = (type: unknown): type is SegmentCall => SEGMENT_CALLS.includes(type as SegmentCall);
