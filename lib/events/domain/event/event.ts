// The event as it comes in. This schema is the only one: validation, types, OpenAPI and the docs fold from it.
// Refuses: values no platform could use. What it takes more than it says (`null` for absent, whole numbers as text) is in
// event-input.ts, which also names the properties it does not know.
import * as z from 'zod';
import { BROWSER_ID_KEYS } from '../identity/identity.ts';
import { isReplayId } from '../replays/replay-id.ts';
import { appSchema } from './app.ts';
import { CONSENT_SIGNALS } from './consent.ts';
import { isCurrency } from './decimal.ts';
import { isTestId } from './test-mode.ts';

/** How far in the future `event_time` may lie. */
export const EVENT_TIME_FUTURE_MAX_SEC = 600;
/** 2000-01-01T00:00:00Z. */
export const EVENT_TIME_MIN_SEC = 946_684_800;
/** Values from here on are milliseconds: as seconds they would be the year 33658. */
const MILLISECONDS_FROM = 1_000_000_000_000;

export const EVENT_LIMITS = {
  /** One event, as JSON; also the body of a request that carries one. */
  eventSizeMaxBytes: 262_144,
  batchSizeMaxBytes: 2_097_152,
  eventIdMaxChars: 200,
  eventNameMaxChars: 100,
  orderIdMaxChars: 256,
  itemsMax: 200,
  externalIdsMax: 20,
  customDataMaxBytes: 16_384,
  customDataMaxDepth: 5,
  batchEventsMax: 500,
  browserBatchEventsMax: 30,
  browserBodySizeMaxBytes: 65_536,
  browserEventSizeMaxBytes: 16_384,
  textMaxChars: 2_048,
} as const;

/** As how many events some count in the limits of a day: what they cost grows with their size. */
export const countedInDay = (events: number, sizeBytes: number): number =>
  Math.max(events, Math.ceil(sizeBytes / 4_096));

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const CONTROL = /[\u0000-\u001f\u007f]/;

const text = (max: number = EVENT_LIMITS.textMaxChars) => z.string().max(max);
/**
 * Identity values may be empty: they are dropped by normalization, with an issue. A digest has 64 characters and may come
 * padded, so what is hashed has the same room in every field.
 */
const loose = (max: number = 512) => z.string().max(max).optional();

/** C0, DEL and C1, U+0085 among them: no queue, log or URL shows them as what they are. */
const ID_CONTROL = /\p{Cc}/u;
/** Any id that is accepted can be asked for again: as a segment of a URL, by a client that trims what it sends. */
export const eventIdSchema = z
  .string()
  .min(1)
  .max(EVENT_LIMITS.eventIdMaxChars)
  .refine((id) => id.isWellFormed(), 'event_id must not contain half a surrogate pair')
  .refine((id) => !ID_CONTROL.test(id), 'event_id must not contain control characters')
  .refine((id) => id === id.trim(), 'event_id must not begin or end with a blank')
  .refine((id) => id !== '.' && id !== '..', 'event_id must not be . or .., which a URL cannot carry')
  .refine((id) => !isReplayId(id), 'the ending ~rp~<ulid> is reserved for replays')
  .refine((id) => !isTestId(id), 'the ending ~test is reserved for test keys');

const browserIdsSchema = z.object(
  Object.fromEntries(BROWSER_ID_KEYS.map((key) => [key, loose()])) as Record<
    (typeof BROWSER_ID_KEYS)[number],
    ReturnType<typeof loose>
  >,
);

export const userDataSchema = z
  .object({
    email: loose(),
    phone: loose(),
    gender: loose(),
    date_of_birth: loose(),
    first_name: loose(),
    last_name: loose(),
    city: loose(),
    state: loose(),
    zip: loose(),
    postal_code: loose(),
    country: loose(),
    customer_id: loose(),
    external_ids: z.array(z.string().max(512)).max(EVENT_LIMITS.externalIdsMax).optional(),
    client_ip: loose(64),
    ip: loose(64),
    user_agent: loose(1_024),
    browser_ids: browserIdsSchema.optional(),
    madid: loose(),
    fb_login_id: loose(),
    subscription_id: loose(),
    lead_id: loose(),
    anon_id: loose(),
    ctwa_clid: loose(),
  })
  .meta({
    description:
      'Everything known about the person. Plain values are hashed on arrival; 64 hex digits are taken as SHA-256 already.',
  });

const itemSchema = z.object({
  id: z.string().min(1).max(256),
  quantity: z.number().positive().max(1e9),
  price: z.number().nonnegative().max(1e15).optional(),
  name: text(256).optional(),
  brand: text(256).optional(),
  category: text(256).optional(),
  variant: text(256).optional(),
});

const consentState = z.enum(['granted', 'denied']).optional();
/** Strict: a misspelt signal must not pass for consent. Google's Consent Mode has seven names; all are taken. */
const consentSchema = z
  .strictObject({
    ...(Object.fromEntries(CONSENT_SIGNALS.map((signal) => [signal, consentState])) as Record<
      (typeof CONSENT_SIGNALS)[number],
      typeof consentState
    >),
    analytics_storage: consentState.meta({ description: 'Another name of `analytics`; the stricter holds.' }),
    functionality_storage: consentState.meta({ description: 'Changes nothing here.' }),
    personalization_storage: consentState.meta({ description: 'Changes nothing here.' }),
    security_storage: consentState.meta({ description: 'Changes nothing here.' }),
  })
  .transform(
    ({ analytics_storage, functionality_storage, personalization_storage, security_storage, ...consent }) =>
      analytics_storage === undefined || consent.analytics === 'denied'
        ? consent
        : { ...consent, analytics: analytics_storage },
  );

export const ACTION_SOURCES = [
  'website',
  'app',
  'email',
  'phone_call',
  'chat',
  'physical_store',
  'system_generated',
  'business_messaging',
  'other',
] as const;

export const eventSchema = z
  .object({
    event_id: eventIdSchema.meta({
      description: 'Chosen by the caller; a duplicate within 24 hours is refused with 409.',
    }),
    event_name: z
      .string()
      .min(1)
      .max(EVENT_LIMITS.eventNameMaxChars)
      .refine(
        (n) => n.isWellFormed() && n.trim() !== '' && !CONTROL.test(n),
        'must be text that is not blank, without control characters',
      ),
    event_time: z
      .int()
      .nonnegative()
      .meta({ description: 'Unix time in seconds; from 10^12 on it is read as milliseconds.' }),
    merchant_id: z.guid().optional(),
    source: z
      .string()
      .regex(/^(?!__proto__$)[a-z0-9_.-]{1,40}$/, 'must be 1 to 40 of a-z, 0-9, _, . and -')
      .optional(),
    user_data: userDataSchema,
    app: appSchema.optional(),
    value: z
      .number()
      .nonnegative('must not be negative: a refund is an event named Refund, with a positive value')
      .max(1e15)
      .optional(),
    currency: z
      .string()
      .transform((c) => c.trim().toUpperCase())
      .refine(isCurrency, 'must be the code of a currency, such as USD (ISO 4217)')
      .optional(),
    order_id: text(EVENT_LIMITS.orderIdMaxChars).optional(),
    items: z.array(itemSchema).max(EVENT_LIMITS.itemsMax).optional(),
    event_source_url: text().optional(),
    referrer_url: text().optional(),
    action_source: z.enum(ACTION_SOURCES).optional(),
    consent: consentSchema.optional().meta({
      description:
        'What the person allowed; what it lets through is docs/reference/consent.md. `Sec-GPC: 1` of a browser denies the three signals of advertising.',
    }),
    custom_data: z.record(z.string().max(256), z.unknown()).optional(),
  })
  .refine((e) => e.value === undefined || e.currency !== undefined, {
    path: ['currency'],
    message: 'is required with value',
    // Beside whatever else is wrong with the event.
    when: ({ value }) => typeof value === 'object' && value !== null,
  });

/** One event as accepted: wire names, wire values, `event_time` in seconds. */
export type EventBody = z.output<typeof eventSchema> & {
  /** Names of the properties outside the schema that were dropped; see `EventInput`. */
  unknown_properties?: readonly string[];
  /** Said by the service about the event, never by its sender: the schema drops a property of this name. */
  internal?: EventOrigin;
};

export interface EventOrigin {
  /** A crawler or headless browser sent it. */
  readonly bot?: true;
  /** Replay, forward, retry: the platforms it is for. */
  readonly only_platforms?: readonly string[];
  /** Replay: the id of the original, which platforms deduplicate on. */
  readonly dedup_id?: string;
  readonly replay?: true;
  /** It came with a test key. */
  readonly test?: true;
  /** Names of consent that was refused and is not known; it is denied for everything. */
  readonly unknown_consent?: readonly string[];
}

/** Seconds, whichever of the two units came in. */
export function eventTimeSec(eventTime: number): number {
  return eventTime >= MILLISECONDS_FROM ? Math.floor(eventTime / 1000) : eventTime;
}
