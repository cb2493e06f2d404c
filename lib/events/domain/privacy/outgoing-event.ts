// The event as it may leave. Only this file makes an `OutgoingEvent`, and platforms build requests of nothing else, so that
// deliveries, tests and previews pass it. Pure, total. Guarantees: nothing personal that is found in addresses, search
// text, titles, words of items or custom data is in it; declared identity is untouched; where nothing is found it is the very
// same event; applied again it changes nothing.
import type { Item, NormalizedEvent, UnopenedEvent } from '../event/normalized-event.ts';
import type { IdentityIssue } from '../identity/identity.ts';
import { withoutPersonalParts } from './address.ts';
import { REMOVED, withoutPersonalMember } from './custom-data.ts';
import { SPEAKING } from './field-name.ts';
import { isRemoval, PERSONAL_KINDS, removalOf } from './kinds.ts';
import type { Findings, OwnDigests } from './named-value.ts';
import { isPlainAddress, isPlainText } from './plain.ts';
import { kindInText } from './text.ts';

declare const OUTGOING: unique symbol;

/** A normalized event that was looked through for what is personal beside declared identity. */
export type OutgoingEvent = NormalizedEvent & { readonly [OUTGOING]: true };

/** The event as platforms may see it, under what the merchant allowed when it was normalized. */
export function toOutgoing(event: NormalizedEvent): OutgoingEvent {
  const allowed = event.issues.flatMap(({ field, code }) =>
    code === 'personal_data_allowed' ? [field] : [],
  );
  return lookThrough(event, new Set(allowed)).event as OutgoingEvent;
}

/**
 * What was found in the event, once for each surface and kind, and each allowed name that let something through.
 * `allowedParameters`: of the merchant, in lowercase.
 */
export function privacyIssues(
  event: UnopenedEvent,
  allowedParameters: readonly string[] = [],
): readonly IdentityIssue[] {
  return lookThrough(event, new Set(allowedParameters)).issues;
}

/** The event's issues without those of an earlier look. */
export const withoutPrivacyIssues = (issues: readonly IdentityIssue[]): readonly IdentityIssue[] =>
  issues.filter(({ code }) => code !== 'personal_data_allowed' && !isRemoval(code));

const ITEM_WORDS = ['name', 'brand', 'category', 'variant'] as const;
/** Members of custom data that are surfaces of their own: what was searched for, and titles. */
const OWN_SURFACES: ReadonlySet<string> = new Set(['search_string', 'page_title', 'title', 'content_name']);

type Changed = {
  -readonly [K in 'eventSourceUrl' | 'referrerUrl' | 'items' | 'customData']?: UnopenedEvent[K];
};

const NO_ISSUES: readonly IdentityIssue[] = [];

/** Most events are: they are left as they are after one pass over their characters. */
function isPlainEvent({ eventSourceUrl, referrerUrl, items, customData }: UnopenedEvent): boolean {
  if (eventSourceUrl !== undefined && !isPlainAddress(eventSourceUrl)) return false;
  if (referrerUrl !== undefined && !isPlainAddress(referrerUrl)) return false;
  for (const item of items)
    for (const word of ITEM_WORDS) if (item[word] !== undefined && !isPlainText(item[word])) return false;
  for (const key in customData) if (!isPlainMember(key, customData[key])) return false;
  return true;
}

const isPlainMember = (key: string, value: unknown): boolean =>
  isPlainText(key) &&
  !SPEAKING.test(key) &&
  (typeof value === 'string' ? isPlainText(value) : value === null || typeof value !== 'object');

function lookThrough<E extends UnopenedEvent>(
  event: E,
  allowed: ReadonlySet<string>,
): { readonly event: E; readonly issues: readonly IdentityIssue[] } {
  if (isPlainEvent(event)) return { event, issues: NO_ISSUES };
  const surfaces = new Map<string, Findings>();
  const at = (surface: string): Findings => {
    const known = surfaces.get(surface) ?? { kinds: new Set(), allowed: new Set() };
    surfaces.set(surface, known);
    return known;
  };
  const changed: Changed = {};
  const { eventSourceUrl, referrerUrl, customData, items } = event;
  const own = digestsOf(event);
  if (eventSourceUrl !== undefined)
    changed.eventSourceUrl = withoutPersonalParts(eventSourceUrl, allowed, at('event_source_url'), own);
  if (referrerUrl !== undefined)
    changed.referrerUrl = withoutPersonalParts(referrerUrl, allowed, at('referrer_url'), own);
  if (items.length > 0) changed.items = gatedItems(items, at('items'));
  if (customData !== undefined) changed.customData = gatedData(customData, allowed, own, at);
  const isSame = (Object.keys(changed) as (keyof Changed)[]).every((key) => changed[key] === event[key]);
  return { event: isSame ? event : { ...event, ...changed }, issues: issuesOf(surfaces) };
}

/** Declared identity is hashed for those who may have it; in an address anyone who has the address can look it up. */
function digestsOf({ hashed }: Pick<UnopenedEvent, 'hashed'>): OwnDigests {
  const own = new Map<string, 'email' | 'phone'>();
  for (const [variant, digest] of Object.entries(hashed)) {
    const kind = /^(?:email|phone)/.exec(variant)?.[0] as 'email' | 'phone' | undefined;
    if (kind !== undefined) own.set(digest as string, kind);
  }
  return own;
}

function gatedItems(items: readonly Item[], { kinds }: Findings): readonly Item[] {
  const gated = items.map((item) => {
    let clean: { -readonly [K in keyof Item]: Item[K] } | undefined;
    for (const word of ITEM_WORDS) {
      const text = item[word];
      const kind = text === undefined ? null : kindInText(text);
      if (kind === null) continue;
      kinds.add(kind);
      clean ??= { ...item };
      clean[word] = REMOVED;
    }
    return clean ?? item;
  });
  return gated.every((item, i) => item === items[i]) ? items : gated;
}

function gatedData(
  data: Readonly<Record<string, unknown>>,
  allowed: ReadonlySet<string>,
  own: OwnDigests,
  at: (surface: string) => Findings,
): Readonly<Record<string, unknown>> {
  let isSame = true;
  const kept: [string, unknown][] = [];
  for (const [key, value] of Object.entries(data)) {
    const surface = OWN_SURFACES.has(key) ? `custom_data.${key}` : 'custom_data';
    const gated = withoutPersonalMember(key, value, { allowed, own, findings: at(surface) });
    if (gated !== value) isSame = false;
    if (gated !== undefined) kept.push([key, gated]);
  }
  return isSame ? data : Object.fromEntries(kept);
}

function issuesOf(surfaces: ReadonlyMap<string, Findings>): readonly IdentityIssue[] {
  const issues: IdentityIssue[] = [];
  const allowed = new Set<string>();
  for (const [field, findings] of surfaces) {
    for (const kind of PERSONAL_KINDS)
      if (findings.kinds.has(kind)) issues.push({ field, code: removalOf(kind) });
    for (const name of findings.allowed) allowed.add(name);
  }
  for (const name of allowed) issues.push({ field: name, code: 'personal_data_allowed' });
  return issues;
}
