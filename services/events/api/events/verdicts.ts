// What each platform's answer for a row is, as the API words it.

import { notTakenBackText, reasonWords, testModeText } from '#lib/client/reason-words.ts';
import {
  type Connection,
  holderOf,
  isWithdrawn,
  type RemovedConnection,
} from '#lib/events/domain/connections/connection.ts';
import { connectionTarget, targetOf, targetsAt, worstFirst } from '#lib/events/domain/connections/target.ts';
import { codeOf, isCode } from '#lib/events/domain/deliveries/code.ts';
import {
  type Delivery,
  type DeliveryState,
  PARKING_REASONS,
  TERMINAL_STATES,
} from '#lib/events/domain/deliveries/delivery.ts';
import { endWithout } from '#lib/events/domain/deliveries/transition.ts';
import type { EventRow, NormalizedRow } from '#lib/events/domain/event/row.ts';
import { PURCHASE_OPEN } from '#lib/events/domain/orders/refund.ts';
import { rewritingRules } from '#lib/events/pipeline/rules/rewrite.ts';
import { isBeforeSending, parseVerdict, type Verdict } from '#lib/events/pipeline/verdicts.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import { ENDED, PROCESSING, type STATUSES } from '#lib/events/routes/events.ts';
import { iso } from '../wire-time.ts';
import { explainTaken } from './confirmation.ts';

export interface PlatformVerdict {
  readonly platform: Platform;
  readonly code: Verdict['code'] | typeof PROCESSING;
  readonly detail?: string;
  /** Present when the platform is to have the event: absent ones of the row are QUEUED. */
  readonly state?: DeliveryState;
  readonly delivery?: Delivery;
  /** Ids of the rules that changed the event for the platform; absent where none did. */
  readonly changedBy?: readonly string[];
  /** The connection it was decided for, removed or not; absent where it is not known any more, or there was none. */
  readonly holder?: Connection | RemovedConnection;
  /** Each place at the platform by itself, where the event has several there. The rest says what stands for all. */
  readonly places?: readonly PlaceVerdict[];
}

export type PlaceVerdict = Omit<PlatformVerdict, 'places'>;

/** By connection. */
export const placesIn = (verdict: PlatformVerdict): readonly PlaceVerdict[] => verdict.places ?? [verdict];

export interface VerdictReader {
  /** One verdict per platform, in the registry's order. */
  read(row: EventRow): readonly PlatformVerdict[];
}

/** For one request: pauses and removals are the merchant's connections as they are now. */
export function createVerdictReader(
  platforms: readonly Platform[],
  connections: readonly Connection[],
  removed: readonly RemovedConnection[] = [],
): VerdictReader {
  const bySlot = new Map(connections.map((connection) => [connectionTarget(connection), connection]));
  return {
    read(row) {
      if (row.state === 'accepted') return platforms.map((platform) => ({ platform, code: PROCESSING }));
      return platforms.map((platform): PlatformVerdict => {
        const slots = targetsAt(platform.slug, row.verdicts);
        const places = slots.map((slot): PlaceVerdict => {
          const holder = holderOf(slot, row.routingVersion, { connections, removed });
          const verdict = placeVerdict(row, platform, slot, bySlot.get(slot));
          return holder === undefined ? verdict : { ...verdict, holder };
        });
        const [only, ...others] = places;
        if (only === undefined)
          return placeVerdict(row, platform, platform.slug, bySlot.get(targetOf(platform.slug)));
        return others.length === 0 ? only : { ...([...places].sort(standsForAll)[0] ?? only), places };
      });
    },
  };
}

/** A place that is to have the event comes before one that is not. */
function standsForAll(a: PlaceVerdict, b: PlaceVerdict): number {
  if (a.state === undefined || b.state === undefined)
    return Number(a.state === undefined) - Number(b.state === undefined);
  return worstFirst(a.delivery, b.delivery);
}

function placeVerdict(
  row: NormalizedRow,
  platform: Platform,
  slot: string,
  connection: Connection | undefined,
): Omit<PlatformVerdict, 'places'> {
  const verdict = parseVerdict(row.verdicts[slot]);
  const changes = changesOf(row, slot);
  if (verdict.code === 'pending') return { ...pendingVerdict(row, platform, slot, connection), ...changes };
  const delivery = row.deliveries[slot];
  // What was attempted is shown, even if the platform's rules have changed since.
  return {
    platform,
    ...verdict,
    ...(isBeforeSending(verdict.code) ? {} : changes),
    ...(delivery === undefined ? {} : { state: delivery.state, delivery }),
  };
}

function changesOf({ event }: NormalizedRow, slot: string): Pick<PlatformVerdict, 'changedBy'> {
  const changedBy = rewritingRules(slot, event.rewrites);
  return changedBy.length === 0 ? {} : { changedBy };
}

function pendingVerdict(
  row: NormalizedRow,
  platform: Platform,
  slot: string,
  connection: Connection | undefined,
): PlatformVerdict {
  const delivery = deliveryNow(row, slot, connection);
  const state: DeliveryState = delivery?.state ?? 'QUEUED';
  const base = { platform, state, ...(delivery === undefined ? {} : { delivery }) };
  if (state === 'SKIPPED') return { ...base, code: 'pending', ...reasonOf(delivery) };
  if (connection?.status !== 'paused' || TERMINAL_STATES.has(state))
    return {
      ...base,
      code: 'pending',
      ...(row.heldUntilMs === undefined ? {} : { detail: iso(row.heldUntilMs) }),
    };
  const { pausedReason } = connection;
  return {
    ...base,
    code: 'connection_paused',
    ...(pausedReason === undefined ? {} : { detail: pausedReason }),
  };
}

/** The delivery as the removal of its connection leaves it, also while the row has not been told yet. */
function deliveryNow(
  row: NormalizedRow,
  slot: string,
  connection: Connection | undefined,
): Delivery | undefined {
  const stored = row.deliveries[slot];
  if (stored !== undefined && (TERMINAL_STATES.has(stored.state) || stored.state === 'SENDING'))
    return stored;
  if (!isWithdrawn(connection, row.routingVersion)) return stored;
  return endWithout(stored, 'SKIPPED', 'not_connected', row.receivedAtMs);
}

const reasonOf = (delivery: Delivery | undefined): { readonly detail?: string } =>
  delivery?.reason === undefined ? {} : { detail: delivery.reason };

/** The verdict as one code: a delivery that is over says how it ended. */
export function verdictCode({
  code,
  state,
}: PlatformVerdict): Verdict['code'] | typeof PROCESSING | (typeof ENDED)[number] {
  return (code === 'pending' && ENDED.find((ended) => ended === state?.toLowerCase())) || code;
}

/** True where `explain` says this of the platform, as its verdict or as its delivery. */
export function isSaid(status: (typeof STATUSES)[number], verdict: PlatformVerdict): boolean {
  return status === verdictCode(verdict) || status === verdict.state;
}

/** True where it is not there, and this is why. A word for what may still come is no code. */
export function isBecause(wanted: string, { platform, code, detail, delivery }: PlatformVerdict): boolean {
  if (code === PROCESSING || code === 'connection_paused') return false;
  const withheld = detail === undefined ? code : `${code}:${detail}`;
  const why = code === 'pending' ? codeOf(delivery) : withheld;
  return why !== undefined && isCode(wanted, why, platform.slug);
}

/** One sentence for a person. `replayUntil`: until when the event can be sent again. */
export function explain(verdict: PlatformVerdict, replayUntil?: string): string {
  const { changedBy, delivery } = verdict;
  const plain =
    delivery?.state === 'ERROR' && delivery.reason === GAVE_UP
      ? explainGaveUp(delivery, replayUntil)
      : explainPlain(verdict);
  return changedBy === undefined ? plain : `${plain} ${rulesText(changedBy)}`;
}

const GAVE_UP = 'gave_up';

/** Our own limit, not the platform's. */
function explainGaveUp({ attempts }: Delivery, replayUntil: string | undefined): string {
  const ended =
    attempts === 0
      ? 'It was never tried: the time ran out for which an event waits for its connection here'
      : 'Gave up after seven days of attempts, which is a limit of ours and not of the platform';
  return `${ended} (${GAVE_UP}).${replayUntil === undefined ? '' : ` It can be sent again until ${replayUntil}.`}`;
}

export const rulesText = (ids: readonly string[]): string =>
  ids.length === 1
    ? `The rule ${ids[0]} changed the event for this platform first.`
    : `The rules ${ids.join(', ')} changed the event for this platform first.`;

function explainPlain({ platform, code, detail, state, delivery }: PlatformVerdict): string {
  switch (code) {
    case 'processing':
      return 'The event is stored and has not been normalized yet.';
    case 'pending':
      if (detail !== undefined && state === 'QUEUED')
        return `The event waits for its server copy until ${detail}, and yields to it.`;
      return explainState(state ?? 'QUEUED', delivery, platform);
    default:
      return explainVerdict({ code, ...(detail === undefined ? {} : { detail }) }, platform);
  }
}

type Named = Pick<Platform, 'label' | 'insteadOfRefunds'>;

function explainVerdict({ code, detail }: Verdict, { label, insteadOfRefunds }: Named): string {
  const about = detail === undefined ? '' : ` (${detail})`;
  const because = detail === undefined ? '' : `: ${reasonWords(detail)}`;
  switch (code) {
    case 'pending':
      return 'The platform is to have the event.';
    case 'not_connected':
      return 'The platform was not connected when the event came in.';
    case 'not_selected':
      return 'The event was sent again to other platforms only.';
    case 'connection_paused':
      return `The connection is paused${because}; the delivery waits until it is resumed, or the event too old.`;
    case 'rule_excluded':
      return `A rule keeps the event from this platform${about}.`;
    case 'consent_denied':
      return `Consent was denied${about}.`;
    case 'consent_missing':
      return `The connection requires a consent that was not granted${about}.`;
    case 'event_not_listed':
      return `The connection's own list of events does not have this one${about}.`;
    case 'invalid':
      return `The event lacks what the platform requires${about}.`;
    case 'unmapped':
      return `The platform has no use for this event name${about}.`;
    case 'too_old':
      return sentence(reasonWords(detail === undefined ? code : `${code}:${detail}`));
    case 'server_copy':
      return 'The event yielded to its server copy, the event of the same event_id that came with an API key.';
    case 'same_order':
      return 'The platform has the order from another event with the same order_id.';
    case 'not_taken_back':
      return notTakenBackText(label, detail, insteadOfRefunds);
    case 'personal_found':
      return `Something personal was found${about}: the settings of the account keep such events from this platform.`;
    case 'suppressed':
      return 'The person was erased or objected: the event is not sent, or the platform takes none without a person.';
    case 'bot':
      return 'The event came from a crawler or a headless browser.';
    case 'test_mode':
      return testModeText(label, detail);
  }
}

function explainState(state: DeliveryState, delivery: Delivery | undefined, platform: Platform): string {
  const reason = delivery?.reason;
  const because = reason === undefined ? '' : `: ${reasonWords(reason)}`;
  switch (state) {
    case 'QUEUED':
      return 'The delivery waits for its first attempt.';
    case 'SENDING':
      return 'An attempt is under way.';
    case 'DELIVERED':
      return explainTaken(delivery, platform);
    case 'RETRY':
      return isParkedFor(reason)
        ? `It waits${because}.`
        : `An attempt failed${because}; there will be another.`;
    case 'FAILED':
      return delivery?.confirmation === undefined
        ? `The platform refused the event for good${because}.`
        : `The platform accepted the event and rejected it later${because}.`;
    case 'ERROR':
      return reason === 'window_closed'
        ? `The platform takes the event no longer: it has become too old${because}.`
        : `The attempts or the time for them ran out${because}.`;
    case 'SKIPPED':
      return explainSkipped(reason, platform);
  }
}

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

const isParkedFor = (reason: string | undefined): boolean =>
  PARKING_REASONS.has(reason ?? '') || reason === PURCHASE_OPEN;

/** The reason is a verdict that came after the first one: with the credentials at hand, or with their removal. */
function explainSkipped(reason: string | undefined, platform: Named): string {
  if (reason === undefined) return 'The delivery was withdrawn.';
  if (reason === 'not_connected') return 'The platform was disconnected: nothing more is sent.';
  return `It was not sent. ${explainVerdict(parseVerdict(reason), platform)}`;
}
