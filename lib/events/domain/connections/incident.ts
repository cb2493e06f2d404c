// Incidents that are kept: what is wrong for a merchant and is read from nothing else. One item for each kind and subject holds the
// one that goes on, or the last, and those before. Pure.
import * as z from 'zod';
import type { StoredAs } from '#lib/core/record/stored-type.ts';
import { growingWait } from '#lib/core/work/retry-policy.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import { failedCall } from './connection.ts';

/**
 * `failing`: of a place at a platform. `window`: of one whose deliveries end soon. `limit`: of one of `INCIDENT_LIMITS`. `refused`,
 * `unavailable`: of one, as its connection says; kept so that webhooks hear of it.
 */
export const KEPT_KINDS = ['failing', 'window', 'limit', 'refused', 'unavailable'] as const;
export type KeptKind = (typeof KEPT_KINDS)[number];

export const INCIDENT_LIMITS = ['server_events', 'browser_events'] as const;
export type IncidentLimit = (typeof INCIDENT_LIMITS)[number];

/** What is known of one, as far as its kind has it. */
const facts = {
  /** Of `window`: when the first delivery ends. */
  closesAtMs: z.number().exactOptional(),
  /** Of `limit`: how much of it was used, at the most; events. */
  used: z.number().exactOptional(),
  limit: z.number().exactOptional(),
  /** Of `failing`: the latest failed call. */
  lastError: failedCall.exactOptional(),
};
const FACTS = z.looseObject(facts);
export type IncidentFacts = StoredAs<typeof FACTS>;

const past = z.looseObject({ name: z.string(), sinceMs: z.number(), untilMs: z.number() });

const unsent = z.looseObject({
  /** The same at each attempt and to each webhook. */
  id: z.string(),
  /** Of the connection to the webhook. */
  place: z.string(),
  /** JSON text. */
  body: z.string(),
  attempts: z.number(),
  dueMs: z.number(),
});
export type UnsentNews = StoredAs<typeof unsent>;

export const STORED_INCIDENT = z.looseObject({
  merchantId: z.string(),
  /** `<kind>.<subject>`. */
  id: z.string(),
  kind: z.enum(KEPT_KINDS),
  /** Place at a platform, or name of a limit. */
  subject: z.string(),
  /** As others see it: the same from its beginning to its end, and another one the next time. */
  name: z.string(),
  /** Of the connection in the place. */
  connectionId: z.string().exactOptional(),
  /** `running`: it goes on, or something is unsent. */
  state: z.enum(['running', 'done']),
  /** Moves with every write; a message that names another one is out of date. */
  version: z.number(),
  sinceMs: z.number(),
  /** When it was last found to be so. */
  seenAtMs: z.number(),
  untilMs: z.number().exactOptional(),
  /** When its merchant was last sent a mail of this kind and subject, about this one or one before. */
  toldAtMs: z.number().exactOptional(),
  /** This one was sent. */
  isTold: z.boolean(),
  ...facts,
  /** What webhooks have not taken yet, oldest first. */
  unsent: z.array(unsent).exactOptional(),
  /** Newest last. */
  past: z.array(past),
  updatedAtMs: z.number(),
  /** The next look. */
  notBeforeMs: z.number(),
  expiresAtMs: z.number(),
});
export type KeptIncident = StoredAs<typeof STORED_INCIDENT>;

const PAST_MAX = 10;
const KEPT_MS = 400 * DAY_MS;
/** From one look at an incident that goes on to the next. */
export const LOOK_MS = 5 * MINUTE_MS;
/** A limit that is near is often passed in the same minute: one mail for both. */
const BURST_MS = MINUTE_MS;
/** From one mail of a kind and subject to the next: trouble that comes and goes. */
const TOLD_EVERY_MS = 6 * HOUR_MS;

export const incidentId = (kind: KeptKind, subject: string): string => `${kind}.${subject}`;

export const isOpen = ({ untilMs }: Pick<KeptIncident, 'untilMs'>): boolean => untilMs === undefined;

/** A message is to follow: something is looked at, or sent. */
export const isActive = ({ state }: Pick<KeptIncident, 'state'>): boolean => state === 'running';

/** Their mails are about the connection (mail-connection.ts). */
const isMailedElsewhere = (kind: KeptKind): boolean => kind === 'refused' || kind === 'unavailable';

/** The end of a platform's failing is looked for every five minutes; the others last longer, and end by what a person does. */
const nextLookMs = (kind: KeptKind, lastedMs: number): number =>
  kind === 'failing' ? LOOK_MS : growingWait({ share: 1 / 16, minMs: LOOK_MS, maxMs: 3 * LOOK_MS }, lastedMs);

export interface Found {
  readonly merchantId: string;
  readonly kind: KeptKind;
  readonly subject: string;
  readonly connectionId?: string | undefined;
  readonly sinceMs: number;
  readonly facts: IncidentFacts;
  /** It goes on as far as is known, and was not found anew. */
  readonly isOld?: boolean;
}

/** The limit of a minute and that of a day are one incident: it says the one that was used to the larger share, and at its most. */
function mostUsed(known: IncidentFacts, news: IncidentFacts): Pick<IncidentFacts, 'used' | 'limit'> {
  const shareOf = ({ used = 0, limit = 1 }: IncidentFacts): number => used / limit;
  const { used, limit } = shareOf(known) > shareOf({ ...known, ...news }) ? known : { ...known, ...news };
  return { ...(used === undefined ? {} : { used }), ...(limit === undefined ? {} : { limit }) };
}

/** One that begins, or goes on, with what was found now. `known`: the item as it is stored. */
export function foundIncident(known: KeptIncident | null, found: Found, nowMs: number): KeptIncident {
  const { merchantId, kind, subject, connectionId, facts: news } = found;
  const isOn = known !== null && isOpen(known);
  const lookMs =
    kind === 'limit' && !(isOn && known.isTold)
      ? BURST_MS
      : nextLookMs(kind, isOn ? nowMs - known.sinceMs : 0);
  const looked = { updatedAtMs: nowMs, notBeforeMs: nowMs + lookMs };
  if (isOn) {
    return {
      ...known,
      ...news,
      ...mostUsed(known, news),
      ...looked,
      ...(found.isOld === true ? {} : { seenAtMs: nowMs }),
    };
  }
  const sinceMs = Math.max(found.sinceMs, (known?.untilMs ?? 0) + 1);
  const named = connectionId ?? 'limit';
  return {
    ...{ merchantId, kind, subject, id: incidentId(kind, subject) },
    ...(connectionId === undefined ? {} : { connectionId }),
    name: `${named}-${connectionId === undefined ? subject : kind}-${sinceMs.toString(36)}`,
    ...{ state: 'running', version: known?.version ?? 0, sinceMs, seenAtMs: nowMs },
    ...{ ...looked, ...news, isTold: isMailedElsewhere(kind) },
    ...(known?.unsent === undefined ? {} : { unsent: known.unsent }),
    ...(known?.toldAtMs === undefined ? {} : { toldAtMs: known.toldAtMs }),
    ...{ past: known === null ? [] : withPast(known), expiresAtMs: nowMs + KEPT_MS },
  };
}

function withPast({ past: before, name, sinceMs, untilMs = sinceMs }: KeptIncident): KeptIncident['past'] {
  return [...before, { name, sinceMs, untilMs }].slice(-PAST_MAX);
}

export const endedIncident = (open: KeptIncident, nowMs: number): KeptIncident =>
  withUnsent(
    { ...open, untilMs: nowMs, updatedAtMs: nowMs, notBeforeMs: nowMs, expiresAtMs: nowMs + KEPT_MS },
    open.unsent ?? [],
  );

/** What is sent before the next look moves that. */
export function withUnsent(
  { unsent: _, ...incident }: KeptIncident,
  unsent: readonly UnsentNews[],
): KeptIncident {
  const state = isOpen(incident) || unsent.length > 0 ? 'running' : 'done';
  return { ...incident, state, ...(unsent.length === 0 ? {} : { unsent }) };
}

/** When its next message is to come. */
export function nextTurnMs({ untilMs, notBeforeMs, unsent = [] }: KeptIncident): number {
  return Math.min(
    untilMs === undefined ? notBeforeMs : Number.POSITIVE_INFINITY,
    ...unsent.map(({ dueMs }) => dueMs),
  );
}

/** A mail is due: none was sent about it, and none of its kind and subject for some hours. */
export function needsTelling(
  { kind, sinceMs, untilMs, isTold, toldAtMs }: KeptIncident,
  nowMs: number,
): boolean {
  if (isTold || untilMs !== undefined || (kind === 'limit' && nowMs - sinceMs < BURST_MS)) return false;
  return toldAtMs === undefined || nowMs - toldAtMs >= TOLD_EVERY_MS;
}
