// What a rule looks at, as one function of the event as it came: what other rules change of it makes no difference. Each
// test is a comparison or a look into a set: what it costs is bounded by the size of the rule.
import { hash } from 'node:crypto';
import { CONSENT_SIGNALS } from '../../domain/event/consent.ts';
import { canonicalEventName, foldEventName } from '../../domain/event/names.ts';
import type { Item, UnopenedEvent } from '../../domain/event/normalized-event.ts';
import type { RuleMatch } from '../../domain/rules/rule.ts';

export type Matcher = (event: UnopenedEvent) => boolean;

export function compileMatch(match: RuleMatch): Matcher {
  const tests = [
    nameTest(match.event_name),
    sourceTest(match.source),
    valueTest(match),
    consentTest(match.consent),
    countryTest(match.country),
    itemsTest(match.items),
    ...(match.custom_data ?? []).map(customTest),
  ].filter((test) => test !== null);
  return (event) => tests.every((test) => test(event));
}

/** A name means what it would mean in an event: an alias is its canonical name. */
function nameTest(names: RuleMatch['event_name']): Matcher | null {
  if (names === undefined) return null;
  const canonical = new Set<string>();
  const custom = new Set<string>();
  for (const name of names) {
    const known = canonicalEventName(name);
    if (known !== 'Custom' || foldEventName(name) === 'custom') canonical.add(known);
    else custom.add(foldEventName(name.trim()));
  }
  return ({ name, customName }) =>
    canonical.has(name) ||
    (custom.size > 0 && customName !== undefined && custom.has(foldEventName(customName)));
}

function sourceTest(sources: RuleMatch['source']): Matcher | null {
  if (sources === undefined) return null;
  const wanted = new Set(sources);
  return ({ source }) => wanted.has(source);
}

function valueTest({ currency, value_min, value_max }: RuleMatch): Matcher | null {
  if (currency === undefined) return null;
  if (value_min === undefined && value_max === undefined) return (event) => event.currency === currency;
  const [min, max] = [value_min ?? 0, value_max ?? Number.POSITIVE_INFINITY];
  return (event) => {
    if (event.currency !== currency || event.value === undefined) return false;
    const value = Number(event.value);
    return value >= min && value <= max;
  };
}

function consentTest(wanted: RuleMatch['consent']): Matcher | null {
  if (wanted === undefined) return null;
  const signals = CONSENT_SIGNALS.filter((signal) => wanted[signal] !== undefined);
  return ({ consent }) => signals.every((signal) => (consent[signal] ?? 'unknown') === wanted[signal]);
}

/** Of a stored event there is the digest only, so the digests are compared. */
function countryTest(countries: RuleMatch['country']): Matcher | null {
  if (countries === undefined) return null;
  const digests = new Set(countries.map((code) => hash('sha256', code.toLowerCase(), 'hex')));
  return ({ hashed }) => hashed.country !== undefined && digests.has(hashed.country);
}

function itemsTest(wanted: RuleMatch['items']): Matcher | null {
  if (wanted === undefined) return null;
  const among = (values: readonly string[] | undefined, read: (item: Item) => string | undefined) => {
    if (values === undefined) return null;
    const set = new Set<string | undefined>(values);
    return (item: Item) => set.has(read(item));
  };
  const { category_prefix: prefixes } = wanted;
  const tests = [
    among(wanted.id, ({ id }) => id),
    among(wanted.brand, ({ brand }) => brand),
    among(wanted.category, ({ category }) => category),
    among(wanted.variant, ({ variant }) => variant),
    prefixes === undefined
      ? null
      : ({ category = '' }: Item) => prefixes.some((prefix) => category.startsWith(prefix)),
  ].filter((test) => test !== null);
  return ({ items }) => items.some((item) => tests.every((test) => test(item)));
}

function customTest({
  path,
  equals,
  any_of,
  exists,
}: NonNullable<RuleMatch['custom_data']>[number]): Matcher {
  const names = path.split('.');
  if (exists !== undefined) return ({ customData }) => (valueAt(customData, names) !== undefined) === exists;
  const wanted = new Set<unknown>(any_of ?? [equals]);
  return ({ customData }) => wanted.has(valueAt(customData, names) ?? NOTHING);
}

/** Equal to nothing that a rule can name. */
const NOTHING = Symbol('nothing');

function valueAt(data: unknown, names: readonly string[]): unknown {
  let at = data;
  for (const name of names) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[name];
  }
  return at;
}
