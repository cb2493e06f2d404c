// A merchant's configured platform, and the snapshot of everything that decides where events are sent.
import * as z from 'zod';
import type { StoredAs } from '#lib/core/record/stored-type.ts';
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import { CONSENT_SIGNALS } from '../event/consent.ts';
import { STORED_OUTAGE } from './outage.ts';
import { connectionTarget } from './target.ts';

/**
 * `auth`: the platform refused the credentials, and new ones end the pause. `manual`: a member paused it, and only a
 * member ends that.
 */
const pauseReason = z.enum(['auth', 'manual']);
export type PauseReason = z.output<typeof pauseReason>;

/** The call that had a connection paused or its circuit opened: the platform's answer, as an `Attempt` keeps it. */
export const failedCall = z.looseObject({
  atMs: z.number(),
  /** Absent when no answer came. */
  status: z.number().exactOptional(),
  code: z.string().exactOptional(),
  message: z.string().exactOptional(),
});
export type FailedCall = StoredAs<typeof failedCall>;

/** An open circuit: the connection gets no events, except a few from time to time that test whether it works again. */
const circuit = z.looseObject({
  openedAtMs: z.number(),
  /** Probes so far. */
  probes: z.number(),
  /** The process that moves this time sends the next probe. */
  nextProbeAtMs: z.number(),
  /** The latest that failed when its circuit opened, or a probe. */
  failedCall: failedCall.exactOptional(),
  /** When its merchant got a mail about it. */
  toldAtMs: z.number().exactOptional(),
});
export type Circuit = StoredAs<typeof circuit>;

/** What a connection asks of events besides its platform: it can withhold more, never less. */
const ownRules = {
  /** Names of events as rules take them. Absent: all. */
  events: z.array(z.string()).exactOptional(),
  consent: z
    .looseObject({
      /** Granted, each of them. */
      require: z.array(z.enum(CONSENT_SIGNALS)),
      /** Of people in these countries, or whose country is not known; ISO 3166-1. Absent: of all. */
      countries: z.array(z.string()).exactOptional(),
    })
    .exactOptional(),
};

export const STORED_CONNECTION = z.looseObject({
  id: z.string(),
  merchantId: z.string(),
  /** Platform slug, e.g. `meta`. */
  platform: z.string(),
  /** Its place among the merchant's connections to the platform (target.ts); absent: the first. */
  slot: z.string().exactOptional(),
  name: z.string(),
  status: z.enum(['active', 'paused']),
  /** Changes with every change except those of its circuit; 1 when created. */
  revision: z.number(),
  /** Of the platform's API, where it is not the platform's own (api-version.ts). */
  apiVersion: z.string().exactOptional(),
  /** What the platform's answers say about the end of that version, at most once a day; another version removes it. */
  deprecation: z.looseObject({ said: z.string(), atMs: z.number() }).exactOptional(),
  /** Why it is paused. */
  pausedReason: pauseReason.exactOptional(),
  pausedAtMs: z.number().exactOptional(),
  /** Of a pause for `auth`. */
  failedCall: failedCall.exactOptional(),
  /** Of a pause for `auth`: when the next probe is due, once there was one (`pauseProbeMs`). */
  probeAtMs: z.number().exactOptional(),
  /** Set while calls keep failing; deliveries are parked meanwhile. New credentials remove it. */
  circuit: circuit.exactOptional(),
  /** Past outages, newest last. */
  outages: z.array(STORED_OUTAGE).exactOptional(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  /** First routing version it was part of: verdicts under an older one were for an earlier connection. */
  sinceVersion: z.number(),
  /** Encrypted under the merchant's data key; base64. */
  sealedCredentials: z.string(),
  ...ownRules,
});
export type Connection = StoredAs<typeof STORED_CONNECTION>;

/** What is left of a connection that was removed: nothing secret, and enough to say which one an event went to. */
export const STORED_REMOVED = z.looseObject({
  id: z.string(),
  platform: z.string(),
  slot: z.string().exactOptional(),
  name: z.string(),
  /** What named its destination, such as the id of a pixel; absent where a secret did. */
  account: z.string().exactOptional(),
  /** Rows of routing versions in [sinceVersion, untilVersion) were for it. */
  sinceVersion: z.number(),
  untilVersion: z.number(),
  createdAtMs: z.number(),
  removedAtMs: z.number(),
});
export type RemovedConnection = StoredAs<typeof STORED_REMOVED>;

/** They lie in the item that says where events go: some 300 bytes each. Those before are forgotten. */
export const REMOVED_MAX = 50;

/** So long a circuit is open before its merchant gets a mail: most outages end before. */
const TOLD_AFTER_MS = 80_000;
/** From one such mail to the next: a platform that comes and goes. */
const TOLD_EVERY_MS = 21_600_000;

/** True where the merchant has to get a mail about a circuit that stays open. */
export function needsMail(
  { circuit, outages = [] }: Pick<Connection, 'circuit' | 'outages'>,
  nowMs: number,
): boolean {
  if (circuit === undefined || nowMs - circuit.openedAtMs < TOLD_AFTER_MS) return false;
  const told = [circuit, ...outages].flatMap(({ toldAtMs }) => toldAtMs ?? []);
  return circuit.toldAtMs === undefined && told.every((atMs) => nowMs - atMs >= TOLD_EVERY_MS);
}

/** From a pause for `auth` to its first probe, and from one probe to the next. */
export const PAUSE_PROBE_MS = 3_600_000;

/**
 * When one event is sent although the platform refused the credentials: many refusals end without new credentials, by a
 * permission that is given back or an account that is paid. Undefined unless that is why the connection is paused.
 */
export function pauseProbeMs({ status, pausedReason, ...connection }: Connection): number | undefined {
  if (status !== 'paused' || pausedReason !== 'auth') return undefined;
  return connection.probeAtMs ?? (connection.pausedAtMs ?? connection.updatedAtMs) + PAUSE_PROBE_MS;
}

/** What decides which events a connection is to have. */
export type RoutedConnection = Pick<Connection, 'id' | 'platform' | 'slot'> &
  Partial<Pick<Connection, 'sinceVersion' | keyof OwnRules>>;

export type OwnRules = Pick<Connection, keyof typeof ownRules>;

export const routedConnection = (connection: Connection): RoutedConnection => {
  const { id, platform, slot, sinceVersion, events, consent } = connection;
  return { ...{ id, platform, sinceVersion }, ...withoutUndefined({ slot, events, consent }) };
};

/**
 * Everything that decides where events are sent, at one version. Each change has the next number; a row keeps the
 * number it was decided under.
 */
export interface RoutingSnapshot {
  readonly merchantId: string;
  readonly version: number;
  readonly connections: readonly RoutedConnection[];
  /** As stored: an unreadable one is skipped when rules are applied, and nowhere else. */
  readonly rules: readonly unknown[];
  /** Platforms that get no event in which something personal was found; of the merchant's settings, added where verdicts are decided. */
  readonly withholdPersonalFrom?: readonly string[];
}

/** With what the merchant's settings say of personal data; the same snapshot where they say nothing. */
export const withPersonalPolicy = (
  routing: RoutingSnapshot,
  merchant: { readonly withholdPersonalFrom?: readonly string[] } | null | undefined,
): RoutingSnapshot => {
  const from = merchant?.withholdPersonalFrom ?? [];
  return from.length === 0 ? routing : { ...routing, withholdPersonalFrom: from };
};

/** The connection that a row of this routing version was decided for, in this place; undefined where it is not known any more. */
export function holderOf(
  target: string,
  routingVersion: number,
  { connections, removed }: EveryConnection,
): Connection | RemovedConnection | undefined {
  const current = connections.find((one) => connectionTarget(one) === target);
  if (current !== undefined && !isWithdrawn(current, routingVersion)) return current;
  return removed.find(
    (one) =>
      connectionTarget(one) === target &&
      one.sinceVersion <= routingVersion &&
      routingVersion < one.untilVersion,
  );
}

export interface EveryConnection {
  readonly connections: readonly Connection[];
  /** Newest first. */
  readonly removed: readonly RemovedConnection[];
}

/**
 * True if a delivery decided under `routingVersion` has lost its connection: it was removed, and the current one, if
 * any, was created later and starts with its own events.
 */
export function isWithdrawn(
  connection: Pick<Connection, 'sinceVersion'> | null | undefined,
  routingVersion: number,
): boolean {
  return connection == null || routingVersion < connection.sinceVersion;
}
