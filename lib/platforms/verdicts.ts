// The current answer for one event at each platform: a pure function of the event's row and the immutable
// routing snapshot it was normalized under. Anyone may recompute it; nothing stores it until the event is closed.
import { hash } from 'node:crypto';
import type { RoutingSnapshot, Rule } from '../domain/connection.ts';
import { type Delivery, TERMINAL_STATES } from '../domain/delivery.ts';
import type { NormalizedEvent } from '../domain/normalized-event.ts';
import type { NormalizedRow, StoredEvent } from '../ports/event-store.ts';
import type { Platform } from './platform.ts';

export const VERDICT_WORDS = [
  'pending',
  'not_connected',
  'not_selected',
  'connection_paused',
  'rule_excluded',
  'consent_denied',
  'invalid',
  'unmapped',
  'too_old',
  'bot',
] as const;

/**
 * `pending`: the platform is to have it; the delivery says how far that is · `not_selected`: left out of a replay or
 * forward · `connection_paused` is reported over `pending` while a pause lasts. `subject` names the rule, signal, field or event name.
 */
export interface Verdict {
  readonly word: (typeof VERDICT_WORDS)[number];
  readonly subject?: string;
}

export type Verdicts = Readonly<Record<string, Verdict>>;

/** Exactly one verdict for every platform given. */
export function verdictsOf(
  row: Pick<NormalizedRow, 'event' | 'closedVerdicts'>,
  snapshot: RoutingSnapshot,
  platforms: readonly Platform[],
): Verdicts {
  const verdicts: Record<string, Verdict> = {};
  for (const platform of platforms) {
    const frozen = row.closedVerdicts?.[platform.slug];
    verdicts[platform.slug] =
      frozen === undefined ? decide(row.event, snapshot, platform) : parseVerdict(frozen);
  }
  return verdicts;
}

/** Slugs of the platforms that are to have the event. */
export function pendingPlatforms(verdicts: Verdicts): readonly string[] {
  return Object.keys(verdicts).filter((slug) => verdicts[slug]?.word === 'pending');
}

/** When someone must look at the row again; null once every targeted delivery is over. */
export function dueAtMs(
  row: Pick<NormalizedRow, 'deliveries' | 'dueAtMs'>,
  pending: readonly string[],
  nowMs: number,
): number | null {
  let due: number | null = null;
  for (const slug of pending) {
    const candidate = deliveryDueAtMs(row.deliveries[slug], row.dueAtMs ?? nowMs);
    if (candidate !== null && (due === null || candidate < due)) due = candidate;
  }
  return due;
}

/** True when the delivery should be attempted at `nowMs`. */
export function isSendable(delivery: Delivery | undefined, nowMs: number): boolean {
  if (delivery === undefined) return true;
  if (TERMINAL_STATES.has(delivery.state)) return false;
  return (deliveryDueAtMs(delivery, nowMs) ?? nowMs) <= nowMs;
}

/** Compact words for `closedVerdicts`. */
export function freezeVerdicts(verdicts: Verdicts): Record<string, string> {
  return Object.fromEntries(
    Object.entries(verdicts).map(([slug, v]) => [
      slug,
      v.subject === undefined ? v.word : `${v.word}:${v.subject}`,
    ]),
  );
}

function parseVerdict(text: string): Verdict {
  const at = text.indexOf(':');
  const word = (at < 0 ? text : text.slice(0, at)) as Verdict['word'];
  return at < 0 ? { word } : { word, subject: text.slice(at + 1) };
}

function deliveryDueAtMs(delivery: Delivery | undefined, unattemptedDueAtMs: number): number | null {
  if (delivery === undefined) return unattemptedDueAtMs;
  if (TERMINAL_STATES.has(delivery.state)) return null;
  return (
    (delivery.state === 'SENDING' ? delivery.leaseUntilMs : delivery.nextAttemptAtMs) ?? unattemptedDueAtMs
  );
}

function decide(stored: StoredEvent, snapshot: RoutingSnapshot, platform: Platform): Verdict {
  if (stored.bot === true) return { word: 'bot' };
  if (!snapshot.connections.some((c) => c.platform === platform.slug)) return { word: 'not_connected' };
  if (stored.onlyPlatforms !== undefined && !stored.onlyPlatforms.includes(platform.slug))
    return { word: 'not_selected' };
  const denied = platform.consentSignals.find((signal) => stored.consent[signal] === 'denied');
  if (denied !== undefined) return { word: 'consent_denied', subject: denied };
  const rule = firstMatch(snapshot.rules, stored, platform.slug);
  if (rule !== undefined && !keeps(rule, stored)) return { word: 'rule_excluded', subject: rule.id };
  const event: NormalizedEvent = { ...stored, sealed: {} };
  const unsendable = platform.unsendable(event);
  if (unsendable !== null) return { word: unsendable.verdict, subject: unsendable.subject };
  const ageMaxSec = platform.ageMaxSec?.(event) ?? platform.limits.ageMaxSec;
  const ageSec = stored.receivedAtMs / 1000 - stored.eventTimeSec;
  if (ageMaxSec > 0 && ageSec > ageMaxSec) return { word: 'too_old', subject: `${ageMaxSec}s` };
  return { word: 'pending' };
}

function firstMatch(rules: readonly Rule[], event: StoredEvent, slug: string): Rule | undefined {
  let first: Rule | undefined;
  for (const rule of rules) {
    if (!rule.enabled || (rule.platforms.length > 0 && !rule.platforms.includes(slug))) continue;
    if (first !== undefined && rule.priority >= first.priority) continue;
    if (matches(rule, event)) first = rule;
  }
  return first;
}

function matches({ match }: Rule, event: StoredEvent): boolean {
  if (match.eventName !== undefined && match.eventName !== event.name && match.eventName !== event.customName)
    return false;
  if (match.source !== undefined && match.source !== event.source) return false;
  if (match.currency !== undefined && match.currency !== event.currency) return false;
  const value = event.value === undefined ? undefined : Number(event.value);
  if (match.valueMin !== undefined && (value === undefined || value < match.valueMin)) return false;
  return match.valueMax === undefined || (value !== undefined && value <= match.valueMax);
}

/** `sample` keeps the same events at every platform and on every recomputation: the dice is the event id. */
function keeps(rule: Rule, event: StoredEvent): boolean {
  if (rule.action === 'exclude') return false;
  if (rule.action !== 'sample') return true;
  const dice =
    Number.parseInt(hash('sha256', `${rule.id}:${event.dedupId}`, 'hex').slice(0, 8), 16) / 2 ** 32;
  return dice < (rule.rate ?? 1);
}
