// The verdict for one event at each platform: a pure function of the event and the merchant's routing, decided once,
// with the write that normalizes the row, and stored in the row together with the changes by rules. Later changes of
// rules or of code do not affect it.
import type { RoutedConnection, RoutingSnapshot } from '../domain/connections/connection.ts';
import { connectionTarget, platformOf, selects } from '../domain/connections/target.ts';
import { isPending, PENDING } from '../domain/deliveries/progress.ts';
import type { NormalizedEvent, UnopenedEvent } from '../domain/event/normalized-event.ts';
import type { NormalizedRow } from '../domain/event/row.ts';
import { isRemoval } from '../domain/privacy/kinds.ts';
import type { Rewrite } from '../domain/rules/rule.ts';
import { keepsTests, type Platform } from '../platforms/platform.ts';
import { ownVerdict } from './rules/own-rules.ts';
import { createRewriter } from './rules/rewrite.ts';
import { type RulesMet, rulesMet } from './rules/rule-set.ts';

export const VERDICT_CODES = [
  'pending',
  'not_connected',
  'not_selected',
  'connection_paused',
  'rule_excluded',
  'consent_denied',
  'consent_missing',
  'event_not_listed',
  'invalid',
  'unmapped',
  'too_old',
  'bot',
  'suppressed',
  'personal_found',
  'server_copy',
  'same_order',
  'not_taken_back',
  'test_mode',
] as const;

/**
 * `pending`: the platform is to have it; the delivery says how far that is · `not_selected`: left out of a replay or
 * forward · `consent_missing`: the connection requires a signal that was not granted · `event_not_listed`: the connection's list of events does not have its name · `suppressed`: its person was erased or objected · `personal_found`: something personal beside declared identity was found in `detail`, and the merchant withholds such events · `server_copy`: a browser event that yielded to the server event of its id · `same_order`: the platform has the order from another event · `not_taken_back`: a refund that changes nothing there; `detail` is one of `NOT_TAKEN_BACK` · `test_mode`: it came with a test key, and what the platform is sent counts there · `connection_paused` is reported over `pending` while a pause lasts. `detail` names the rule, signal, field or event name.
 */
export interface Verdict {
  readonly code: (typeof VERDICT_CODES)[number];
  readonly detail?: string;
}

export type Verdicts = Readonly<Record<string, Verdict>>;

/**
 * Exactly one verdict for every given platform, as stored when the row was normalized. If a platform has several
 * places: pending if one of them is to have the event, else the verdict of the first.
 */
export function verdictsOf(
  row: Pick<NormalizedRow, 'verdicts'>,
  platforms: readonly Pick<Platform, 'slug'>[],
): Verdicts {
  const verdicts: Record<string, Verdict> = {};
  const places = new Map<string, string>();
  for (const [slot, word] of Object.entries(row.verdicts)) {
    const slug = platformOf(slot);
    const known = places.get(slug);
    if (known === undefined || (!isPending(known) && (isPending(word) || slot === slug)))
      places.set(slug, word);
  }
  for (const { slug } of platforms) verdicts[slug] = parseVerdict(places.get(slug));
  return verdicts;
}

export interface RoutingDecision {
  readonly verdicts: Verdicts;
  /** Empty for most events. */
  readonly rewrites: readonly Rewrite[];
}

/**
 * Exactly one verdict for every given platform, and for each further place there, under this routing, with the changes
 * that its rules make to the event.
 */
export function decideRouting(
  event: UnopenedEvent,
  snapshot: RoutingSnapshot,
  platforms: readonly Platform[],
): RoutingDecision {
  const met = rulesMet(snapshot.rules, event);
  const rewriter = met.transforms.length === 0 ? null : createRewriter(met.transforms);
  const seen: SeenBy = rewriter?.forConnection ?? asItCame;
  const verdicts: Record<string, Verdict> = {};
  for (const { slug } of platforms) verdicts[slug] = { code: event.bot === true ? 'bot' : NOT_CONNECTED };
  for (const connection of snapshot.connections) {
    const platform = platforms.find(({ slug }) => slug === connection.platform);
    if (platform === undefined) continue;
    verdicts[connectionTarget(connection)] = decide(event, snapshot, platform, connection, met, seen);
  }
  return { verdicts, rewrites: rewriter?.rewrites() ?? [] };
}

export function decideVerdicts(
  event: UnopenedEvent,
  snapshot: RoutingSnapshot,
  platforms: readonly Platform[],
): Verdicts {
  return decideRouting(event, snapshot, platforms).verdicts;
}

type SeenBy = (target: string, id: string, event: NormalizedEvent) => NormalizedEvent;
const asItCame: SeenBy = (_target, _id, event) => event;

/** As stored in the row, without platforms that are not connected, which are most. `pending`: how that is stored of it. */
export function freezeVerdicts(verdicts: Verdicts, pending: string = PENDING): Record<string, string> {
  const words: Record<string, string> = {};
  for (const [slug, { code, detail }] of Object.entries(verdicts))
    if (code === PENDING) words[slug] = pending;
    else if (code !== NOT_CONNECTED) words[slug] = detail === undefined ? code : `${code}:${detail}`;
  return words;
}

/** Verdicts that are decided before a request is built: rules change nothing there. */
const BEFORE_SENDING: ReadonlySet<Verdict['code']> = new Set([
  'not_connected',
  'not_selected',
  'rule_excluded',
  'consent_denied',
  'consent_missing',
  'event_not_listed',
  'personal_found',
  'bot',
]);

export const isBeforeSending = (code: Verdict['code'] = NOT_CONNECTED): boolean => BEFORE_SENDING.has(code);

export const NOT_CONNECTED = 'not_connected';

/** `code` or `code:detail`, as stored; absent: the platform was not connected. */
export function parseVerdict(text: string = NOT_CONNECTED): Verdict {
  if (isPending(text)) return { code: PENDING };
  const at = text.indexOf(':');
  const code = (at < 0 ? text : text.slice(0, at)) as Verdict['code'];
  return at < 0 ? { code } : { code, detail: text.slice(at + 1) };
}

function decide(
  unopened: UnopenedEvent,
  snapshot: RoutingSnapshot,
  platform: Platform,
  connection: RoutedConnection,
  met: RulesMet,
  seen: SeenBy,
): Verdict {
  if (unopened.bot === true) return { code: 'bot' };
  const { id } = connection;
  const target = connectionTarget(connection);
  if (unopened.onlyPlatforms !== undefined && !selects(unopened.onlyPlatforms, target, id))
    return { code: 'not_selected' };
  const denied = platform.consentSignals.find((signal) => unopened.consent[signal] === 'denied');
  if (denied !== undefined) return { code: 'consent_denied', detail: denied };
  const own = ownVerdict(unopened, connection);
  if (own !== undefined) return own;
  const excludedBy = met.excludedBy(target, id);
  if (excludedBy !== undefined) return { code: 'rule_excluded', detail: excludedBy };
  const personal = personalIn(unopened, snapshot, platform);
  if (personal !== undefined) return { code: 'personal_found', detail: personal };
  if (unopened.test === true && !keepsTests(platform)) return { code: 'test_mode' };
  const event = seen(target, id, { ...unopened, plaintext: {} });
  try {
    return decideBySending(event, platform);
  } catch {
    // The platform's own code threw. The delivery fails at the same place and is retried until a fixed release.
    return { code: 'pending' };
  }
}

/** Where it was found, if that keeps the event from this platform. What was allowed by name is not found. */
function personalIn(
  { issues }: UnopenedEvent,
  { withholdPersonalFrom }: RoutingSnapshot,
  { slug }: Platform,
): string | undefined {
  if (withholdPersonalFrom?.includes(slug) !== true) return undefined;
  return issues.find(({ code }) => isRemoval(code))?.field;
}

function decideBySending(event: NormalizedEvent, platform: Platform): Verdict {
  const unsendable = platform.unsendable(event);
  if (unsendable !== null) return { code: unsendable.verdict, detail: unsendable.detail };
  const ageMaxSec = platform.ageMaxSec?.(event) ?? platform.limits.ageMaxSec;
  const ageSec = event.receivedAtMs / 1000 - event.eventTimeSec;
  if (ageMaxSec > 0 && ageSec > ageMaxSec) return { code: 'too_old', detail: `${ageMaxSec}s` };
  return { code: 'pending' };
}
