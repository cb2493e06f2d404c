// What rules change of an event, and the event as one connection is to see it. Pure. The event itself is stored as it came,
// and beside it what is changed for whom: counts and lists speak of the original, requests and previews of what is sent.
// Guarantees: identity can be taken away and never made up; a change without an effect leaves no trace; applied again, now
// or at a retry in a week, the same changes give the same event.
import { exactly, platformOf, selects } from '../../domain/connections/target.ts';
import { scaleAmount, scaleUnitPrice, toAmount } from '../../domain/event/decimal.ts';
import { namesAsSent } from '../../domain/event/names.ts';
import type { ActionSource, NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { IdentityTraces } from '../../domain/identity/field-facts.ts';
import { IDENTITY_TRACES, isIdentityField } from '../../domain/rules/fields.ts';
import { customPathOf, type Rewrite, type RuleChange } from '../../domain/rules/rule.ts';
import type { Transform } from './rule-set.ts';

/** The event as rules change it for this place at a platform. */
export function seenBy(target: string, event: NormalizedEvent): NormalizedEvent {
  if (event.rewrites === undefined) return event;
  return changesFor(target, event.rewrites).reduce(applyChange, event);
}

/** Ids of the rules that changed the event for this place. */
export const rewritingRules = (target: string, rewrites?: readonly Rewrite[]): readonly string[] =>
  rewritesFor(target, rewrites).map(({ rule }) => rule);

export const changesFor = (target: string, rewrites?: readonly Rewrite[]): readonly RuleChange[] =>
  rewritesFor(target, rewrites).flatMap(({ changes }) => changes);

const rewritesFor = (target: string, rewrites: readonly Rewrite[] = []): readonly Rewrite[] =>
  rewrites.filter(({ platforms }) => platforms === undefined || selects(platforms, target));

/**
 * Changes one event for one connection after the other, and remembers what made a difference. Those that the same
 * transforms are about see the same event, which is made once.
 */
export function createRewriter(transforms: readonly Transform[]) {
  const made = new Map<string, Rewritten>();
  const changed = transforms.map(() => new Set<string>());
  const effects = transforms.map(() => new Set<number>());
  const asked = new Set<string>();
  return {
    forConnection(target: string, id: string | undefined, original: NormalizedEvent): NormalizedEvent {
      asked.add(target);
      const about = transforms.map(({ isAbout }) => isAbout(target, id));
      const key = about.join();
      const rewritten = made.get(key) ?? rewrite(original, transforms, about);
      made.set(key, rewritten);
      for (const [t, effective] of rewritten.effects) {
        changed[t]?.add(target);
        for (const c of effective) effects[t]?.add(c);
      }
      return rewritten.event;
    },
    /** What the row keeps: changes that made a difference, and for whom. */
    rewrites(): readonly Rewrite[] {
      return transforms.flatMap(({ id, changes, isForAll }, t) => {
        const targets = changed[t] ?? new Set();
        if (targets.size === 0) return [];
        const effective = changes.filter((_, c) => effects[t]?.has(c));
        const everywhere = isForAll && targets.size === asked.size;
        return [
          { rule: id, changes: effective, ...(everywhere ? {} : { platforms: namesOf(targets, asked) }) },
        ];
      });
    },
  };
}

/** By platform where all of its places are among them, else each by itself. */
function namesOf(targets: ReadonlySet<string>, asked: ReadonlySet<string>): readonly string[] {
  const others = new Set([...asked].filter((target) => !targets.has(target)).map(platformOf));
  const names = [...targets].map((target) =>
    others.has(platformOf(target)) ? exactly(target) : platformOf(target),
  );
  return [...new Set(names)];
}

interface Rewritten {
  readonly event: NormalizedEvent;
  /** Of transforms that made a difference: which of their changes did, by position. */
  readonly effects: ReadonlyMap<number, readonly number[]>;
}

function rewrite(
  original: NormalizedEvent,
  transforms: readonly Transform[],
  about: readonly boolean[],
): Rewritten {
  let event = original;
  const effects = new Map<number, readonly number[]>();
  transforms.forEach((transform, t) => {
    if (about[t] !== true) return;
    const steps = stepsOf(event, transform);
    const effective = steps.flatMap((step, c) => (step === (steps[c - 1] ?? event) ? [] : [c]));
    if (effective.length > 0) effects.set(t, effective);
    event = steps.at(-1) ?? event;
  });
  return { event, effects };
}

/** The event after each change; none where the transform cannot be followed, which is then left out whole. */
function stepsOf(event: NormalizedEvent, { changes, skip }: Transform): readonly NormalizedEvent[] {
  try {
    let at = event;
    return changes.map((change) => {
      at = applyChange(at, change);
      return at;
    });
  } catch (error) {
    skip(error);
    return [];
  }
}

/** The very same event where the change makes no difference. */
function applyChange(event: NormalizedEvent, change: RuleChange): NormalizedEvent {
  switch (change.op) {
    case 'rename_event':
      return renamed(event, change.name);
    case 'override_value':
      return revalued(event, change.value, change.currency);
    case 'scale_value':
      return scaled(event, change.factor);
    case 'set_field':
      return withField(event, change.field, change.value);
    case 'drop_field':
      return withoutField(event, change.field);
    default:
      // Of another release: sending the event without it would be wrong, and that release will send it.
      throw new Error('a change of an event that this release does not know');
  }
}

function renamed(event: NormalizedEvent, sent: string): NormalizedEvent {
  const { name: _, customName, sentName, ...rest } = event;
  const names = namesAsSent(sent.trim());
  const isSame = names.name === event.name && names.customName === customName && names.sentName === sentName;
  return isSame ? event : { ...rest, ...names };
}

/** Prices of items are in the event's currency: those of another one would be lies. */
function revalued(event: NormalizedEvent, amount: number, currency: string): NormalizedEvent {
  const value = toAmount(amount, currency);
  if (event.value === value && event.currency === currency) return event;
  const items = event.currency === currency ? event.items : event.items.map(({ price: _, ...item }) => item);
  return { ...event, value, currency, items };
}

/** Prices go with the value, so that they still add up to it. */
function scaled(event: NormalizedEvent, factor: number): NormalizedEvent {
  if (factor === 1) return event;
  const { value, currency = '', items } = event;
  if (value === undefined && items.every(({ price }) => price === undefined)) return event;
  return {
    ...event,
    ...(value === undefined ? {} : { value: scaleAmount(value, factor, currency) }),
    items: items.map((item) =>
      item.price === undefined ? item : { ...item, price: scaleUnitPrice(item.price, factor) },
    ),
  };
}

function withField(event: NormalizedEvent, field: string, value: string | number | boolean): NormalizedEvent {
  const path = customPathOf(field);
  if (path !== null) {
    const customData = withValue(event.customData ?? {}, path, value);
    return customData === event.customData ? event : { ...event, customData };
  }
  if (field === 'action_source')
    return event.actionSource === value ? event : { ...event, actionSource: value as ActionSource };
  const text = String(value).trim();
  const key = field === 'event_source_url' ? 'eventSourceUrl' : 'referrerUrl';
  return event[key] === text ? event : { ...event, [key]: text };
}

function withoutField(event: NormalizedEvent, field: string): NormalizedEvent {
  const path = customPathOf(field);
  if (path !== null) {
    if (event.customData === undefined) return event;
    const customData = withValue(event.customData, path, undefined);
    return customData === event.customData ? event : { ...event, customData };
  }
  if (isIdentityField(field)) return withoutIdentity(event, IDENTITY_TRACES[field]);
  if (field === 'items') return event.items.length === 0 ? event : { ...event, items: [] };
  const key = CLEARED[field];
  if (key === undefined) throw new Error('a field of an event that this release does not know');
  return without(event, [key]);
}

const CLEARED: Readonly<Record<string, keyof NormalizedEvent>> = {
  // The currency stays: prices of items are in it.
  value: 'value',
  order_id: 'orderId',
  event_source_url: 'eventSourceUrl',
  referrer_url: 'referrerUrl',
  custom_data: 'customData',
  app: 'app',
};

function withoutIdentity(event: NormalizedEvent, traces: IdentityTraces): NormalizedEvent {
  const hashed = without(event.hashed, traces.hashed ?? []);
  const raw = without(event.raw, traces.raw ?? []);
  const plaintext = without(event.plaintext, traces.plaintext ?? []);
  const isSame = hashed === event.hashed && raw === event.raw && plaintext === event.plaintext;
  return isSame ? event : { ...event, hashed, raw, plaintext };
}

/** The very same object where none of the keys is there. */
function without<T extends object>(object: T, keys: readonly (keyof T)[]): T {
  if (keys.every((key) => object[key] === undefined)) return object;
  const dropped = new Set<PropertyKey>(keys);
  return Object.fromEntries(Object.entries(object).filter(([key]) => !dropped.has(key))) as T;
}

type Data = Readonly<Record<string, unknown>>;

/** A copy with this value at the path, or nothing; the same object where there is no way to it, or it is there already. */
function withValue(data: Data, [name = '', ...rest]: readonly string[], value: unknown): Data {
  const old = Object.hasOwn(data, name) ? data[name] : undefined;
  if (rest.length === 0) {
    if (old === value) return data;
    return value === undefined ? without(data, [name]) : { ...data, [name]: value };
  }
  if (old === undefined && value === undefined) return data;
  const inner = old ?? {};
  if (typeof inner !== 'object' || Array.isArray(inner)) return data;
  const changed = withValue(inner as Data, rest, value);
  return changed === old ? data : { ...data, [name]: changed };
}
