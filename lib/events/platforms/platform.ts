// What a platform is: data and pure functions. It builds a request as data and reads a response as data.
// Refuses: I/O, clock, random, environment. The next platform is one folder beside this file and one line in registered.ts.

import type { ZodType } from 'zod';
import type { HttpRequest, HttpResult } from '../../core/ports/transport.ts';
import type { Versioned } from '../domain/connections/api-version.ts';
import type { PlatformSlug } from '../domain/connections/target.ts';
import type { Said } from '../domain/deliveries/confirmation.ts';
import type { Outcome } from '../domain/deliveries/delivery.ts';
import type { ConsentSignal } from '../domain/event/consent.ts';
import type { NormalizedEvent } from '../domain/event/normalized-event.ts';
import type { BrowserIdKey, SealedField } from '../domain/identity/identity.ts';
import type { OutgoingEvent } from '../domain/privacy/outgoing-event.ts';
import type { Answer, Fields } from './answer.ts';
import { type Deletion, type DeletionDefinition, withReader } from './deletion.ts';
import type { ErrorTable, OwnError } from './error-table.ts';
import type { EventNames } from './event-name.ts';
import { responseReader } from './own-answer.ts';

export type { HttpRequest, HttpResult };

/** Why a platform does not get an event at all, decided before any request exists. */
export interface Unsendable {
  readonly verdict: 'invalid' | 'unmapped' | 'too_old' | 'consent_denied' | 'not_taken_back';
  /** The field, event name or signal it is about; of a refund, why. */
  readonly detail: string;
}

export interface PlatformLimits {
  /** Events per request. */
  readonly batchSizeMax: number;
  /** Age of `event_time` at the time of sending beyond which the platform refuses; 0 = no limit. */
  readonly ageMaxSec: number;
  /** Request body the platform accepts, in bytes. */
  readonly bodySizeMaxBytes: number;
  /** Give up waiting for an answer after this. */
  readonly timeoutMs: number;
  /** True when one bad event makes the platform refuse the whole request. */
  readonly allOrNothing: boolean;
}

/** How much a vendor's documents allow one connection. What they allow a day is kept by the minute: a burst would be paid for with the rest of the day. */
export interface Quota<Credentials = unknown> {
  readonly counts: 'requests' | 'events';
  readonly max: number;
  readonly perSec: number;
  /** Of events that go to an endpoint of their own; absent: of all. Decided without what is personal. */
  readonly of?: (event: NormalizedEvent, credentials: Credentials) => boolean;
}

export interface BuildContext {
  /** Ask the platform to validate or show the events as test events, not to count them. */
  readonly test: boolean;
  /** For signatures and API versions that depend on the day; milliseconds. */
  readonly nowMs?: number;
  /** Random text, fresh for every request: OAuth 1.0a signs one. */
  readonly nonce?: string;
  /** Of the API, as the connection has it (domain/connections/api-version.ts); absent: the platform's own. */
  readonly version?: string;
  /** Access token obtained through `oauth`, where the platform has it. */
  readonly accessToken?: string;
}

/** OAuth 2 token refresh as data: the caller sends, remembers and renews. */
export interface TokenSource<Credentials> {
  /** False where a request of these events, with these credentials, goes without one. Absent: always true. */
  readonly needed?: (credentials: Credentials, events: readonly NormalizedEvent[]) => boolean;
  /** The request that trades the refresh token for an access token. */
  readonly buildTokenRequest: (credentials: Credentials) => HttpRequest;
  /** Total: never throws. */
  readonly readTokenResponse: (result: HttpResult) => TokenResult;
}

export type TokenResult =
  | { readonly kind: 'token'; readonly accessToken: string; readonly expiresInSec: number }
  /** `auth`: the refresh token is refused, the connection pauses. `retry`: the token endpoint is unwell. */
  | {
      readonly kind: 'auth' | 'retry';
      readonly code: string;
      readonly message?: string;
      /** Of `retry`: the grant is refused, but only these events need it. They wait; the connection goes on. */
      readonly setting?: true;
      readonly retryAfterSec?: number;
    };

/** How a platform tells that two events are one conversion. */
export interface Dedup<Credentials> {
  /** Seconds for which it remembers what it has; absent: for longer than anybody has published. */
  readonly windowSec?: number;
  /** True where purchases go by their order id, so that two events of one order count once. Absent: by the id of the event. */
  readonly purchasesByOrder?: (credentials: Credentials) => boolean;
  /** True for what it never takes for a conversion that it has, nor later for this one. */
  readonly countsAgain?: (event: Partial<Pick<NormalizedEvent, 'actionSource'>>) => boolean;
}

/** What a success of the platform's answer says, by the vendor's own documents. */
export interface TakenMeans {
  /** Half a sentence that follows “a success says that ”. */
  readonly text: string;
  readonly source: string;
}

/** How the platform is asked later what became of a request that it took. The outcome of a success names the request. */
export interface StatusSource<Credentials> {
  readonly buildRequest: (credentials: Credentials, request: string, context: BuildContext) => HttpRequest;
  /** By the event's name; one word for all where the platform knows no more. Total: never throws. */
  readonly readStatus: (result: HttpResult, credentials: Credentials) => (name: string) => Said;
}

/** Another of the vendor's interfaces, which a connection may choose by its credentials. */
export interface OtherInterface<Credentials> {
  /** As the credentials call it. */
  readonly name: string;
  readonly label: string;
  /** Where the vendor says which field of one is which of the other. */
  readonly fields: string;
  /** Of the same slug, credentials, names, consent, sealed fields and window; all else may differ. */
  readonly platform: Platform<Credentials>;
  readonly isChosen: (credentials: Credentials) => boolean;
}

export interface Platform<Credentials = unknown> {
  /** Stable, kebab or snake case; key of queues, counters and the API. */
  readonly slug: PlatformSlug;
  readonly label: string;
  /** `version`: of the requests where the connection names no other: the newest whose description was read. */
  readonly api: Versioned['api'] & {
    readonly docs: string;
    /** YYYY-MM-DD on which the docs were read. */
    readonly readOn: string;
  };
  /** Built from documents alone, never tried with a real account: whoever connects it has to confirm that they know. */
  readonly experimental?: true;
  /** `z.strictObject`; each field carries `.meta({label, help, secret?})`. */
  readonly credentials: ZodType<Credentials>;
  /** What an earlier release stored, as `credentials` takes it today; absent: they never changed. Total. */
  readonly upgradeCredentials?: (stored: Readonly<Record<string, unknown>>) => unknown;
  readonly limits: PlatformLimits;
  /** A server of the merchant: it gets the event's trace as `traceparent`. To advertising platforms it would say nothing. */
  readonly isOwnServer?: true;
  readonly other?: OtherInterface<Credentials>;
  /** Absent where the vendor publishes none. */
  readonly quotas?: readonly Quota<Credentials>[];
  /** The platform's own name for each canonical event; null = this platform has no use for it. `c:` is not written here: custom names are given as sent. */
  readonly eventNames: EventNames;
  /** Values this platform takes unhashed: of an event it may be sent they are kept, sealed, as long as the rest of the person. */
  readonly sealedFields: readonly SealedField[];
  /** Ids that its ads put into the address of a landing page: who has one was brought by it. */
  readonly clickIds?: readonly BrowserIdKey[];
  /**
   * What is sent as a test is checked, or shown, and enters nothing that the platform counts, reports or learns from: the vendor says so.
   * It gets the events of test keys. Others get none: Meta uses what comes with a test event code for targeting and measurement.
   */
  readonly keepsTestsApart?: true;
  /** Absent: events of one id count once, for as long as is known. */
  readonly dedup?: Dedup<Credentials>;
  /**
   * A refund goes out as its purchase once more, with the value that is left, and only where the platform took that purchase.
   * `adjusting`: as a change of it, which is nothing where it is unknown; so the connection may have changed since. Absent: as an
   * event of its own, if it has a name.
   */
  readonly restatesPurchases?: true | 'adjusting';
  /** Where it takes no refunds: a sentence that says what a merchant can do instead. */
  readonly insteadOfRefunds?: string;
  readonly takenMeans: TakenMeans;
  /** Absent: the platform confirms nothing, and what it accepted stays `accepted`. */
  readonly statusOf?: StatusSource<Credentials>;
  /** Signals that, when `denied`, keep events from this platform. */
  readonly consentSignals: readonly ConsentSignal[];
  /** Longest acceptance window for this event in seconds, where it depends on the event (physical_store at Meta). */
  readonly ageMaxSec?: (event: NormalizedEvent) => number;
  /** Where requests need a short-lived access token (`context.accessToken`). */
  readonly oauth?: TokenSource<Credentials>;
  /** Null when the event can be sent; otherwise why not. Total: never throws. */
  readonly unsendable: (event: NormalizedEvent, credentials?: Credentials) => Unsendable | null;
  /** False when the platform has no way to take a test with these credentials: it would count. Absent: always possible. */
  readonly testable?: (credentials: Credentials) => boolean;
  /** Events with the same key may share one request (GA4: one client per request). Absent: all may. */
  readonly groupKey?: (event: NormalizedEvent, credentials: Credentials) => string;
  /**
   * A request holds the events of one batch, or one that has none: the same at each attempt, as far as they are still to be sent.
   * For platforms that keep requests under a name.
   */
  readonly keepsBatches?: true;
  /** 1..batchSizeMax events, all sendable, all of one group. Throws RangeError for a test where `testable` says no. */
  readonly buildRequest: (
    events: readonly OutgoingEvent[],
    credentials: Credentials,
    context: BuildContext,
  ) => HttpRequest;
  /** What it keeps as a table, in SQL; absent: its reports are elsewhere. */
  readonly table?: (credentials: Credentials) => string;
  /** The vendor's own errors; where no line fits, the status decides (`STATUS_ERRORS`). */
  readonly errors: ErrorTable;
  /**
   * True for an error as the vendor itself words it, of status 3xx and up. Anything else is of somebody on the way, and
   * neither pauses the connection nor ends an event (own-answer.ts).
   */
  readonly isOwnError: OwnError;
  /** How the deletion of a person is passed on, or why it is not. */
  readonly deletion: Deletion<Credentials>;
  /** Exactly one outcome per event, in order, for any status and any body. Total: never throws. */
  readonly readResponse: (result: HttpResult, events: readonly NormalizedEvent[]) => readonly Outcome[];
}

/** What serves a connection with these credentials. */
export const servedBy = (platform: Platform, credentials: unknown): Platform =>
  platform.other?.isChosen(credentials) === true ? platform.other.platform : platform;

/** Whether a request of these events needs an access token. */
export const needsToken = (
  { oauth }: Pick<Platform, 'oauth'>,
  credentials: unknown,
  events: readonly NormalizedEvent[],
): boolean => oauth !== undefined && oauth.needed?.(credentials, events) !== false;

/** Whether it may have the event of a test key. `credentials` absent: with some. */
export const keepsTests = (platform: Platform, credentials?: unknown): boolean =>
  platform.keepsTestsApart === true &&
  (credentials === undefined || platform.testable?.(credentials) !== false);

/** Every interface there is. */
export const interfacesOf = (platform: Platform): readonly Platform[] =>
  platform.other === undefined ? [platform] : [platform, platform.other.platform];

/** As its folder writes it down. */
export interface PlatformDefinition<Credentials>
  extends Omit<Platform<Credentials>, 'slug' | 'readResponse' | 'deletion'> {
  readonly slug: string;
  readonly deletion: DeletionDefinition<Credentials>;
  /** What the body of an answer says, where it is no JSON object; absent: nothing. Undefined for a text that is not the vendor's. Total. */
  readonly errorIn?: (body: string) => Fields | undefined;
  /** What an answer means: one outcome for all events, or one for each, in order. `body`: as `errorIn` reads it, or where it is a JSON object. Total. */
  readonly readAnswer: (
    answer: Answer,
    body: Fields | undefined,
    events: readonly NormalizedEvent[],
  ) => Outcome | readonly Outcome[];
}

export type BuildRequest<Credentials> = Platform<Credentials>['buildRequest'];
export type FindFault<Credentials> = Platform<Credentials>['unsendable'];
export type ReadAnswer = PlatformDefinition<unknown>['readAnswer'];

/** Keeps the credential type inside the definition while the registry sees one common type; see own-answer.ts. */
export function definePlatform<Credentials>({
  readAnswer,
  errorIn,
  ...definition
}: PlatformDefinition<Credentials>): Platform<Credentials> {
  const slug = definition.slug as PlatformSlug;
  const { isOwnError } = definition;
  const deletion = withReader(definition.deletion, isOwnError);
  return {
    ...definition,
    slug,
    deletion,
    readResponse: responseReader({ readAnswer, isOwnError, ...(errorIn === undefined ? {} : { errorIn }) }),
  };
}
