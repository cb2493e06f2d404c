// What merchants' servers and browsers call. The app that answers is services/events/ingestion; this is what may be known of it.
// The calls of Segment's tracking API are for code written for its libraries, which sends here by a change of host and write key;
// what each field becomes is docs/reference/segment.md.
import * as z from 'zod';
import { EVENT_LIMITS, eventSchema } from '../domain/event/event.ts';
import { SEGMENT_CALLS, type SegmentCall } from '../domain/segment/fields.ts';
import { defineRoute } from './define-route.ts';

const accepted = z
  .object({ success: z.literal(true), event_id: z.string() })
  .meta({ id: 'EventAccepted', description: 'The event is stored and will be delivered.' });

const result = z
  .object({
    event_id: z.string().nullable(),
    status: z.int().meta({ description: 'The status it would have had alone.' }),
    code: z.string().optional(),
    error: z.string().optional().meta({ description: 'A sentence for people; with every `code`.' }),
    details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    accepted_at: z.iso
      .datetime()
      .optional()
      .meta({ description: 'Of a duplicate, on the server path only.' }),
    same_payload: z.boolean().optional().meta({
      description: 'Of a duplicate, on the server path only: whether both say the same.',
    }),
  })
  .meta({ id: 'EventResult', description: 'What became of one event of a batch; in the order sent.' });

const eventResults = z
  .object({
    success: z.boolean().meta({
      description:
        'Whether every event was accepted, now or before with the same payload (`same_payload: true`).',
    }),
    results: z.array(result),
  })
  .meta({ id: 'EventResults' });

const event = eventSchema.meta({
  id: 'Event',
  description:
    'A conversion or behaviour event. `null` leaves an optional field out. Whole numbers up to 9007199254740991 are taken where text is meant. Other properties are ignored and named in its issues.',
});
const browserEvent = eventSchema
  .safeExtend({ merchant_id: z.guid() })
  .meta({ id: 'BrowserEvent', description: 'An event as sent by a browser: merchant_id names the owner.' });

const batch = <Item extends z.ZodType>(item: Item, max: number) =>
  z.object({ events: z.array(item).min(1).max(max) });

/** What a refused event is told of the one that was accepted before; nothing where anybody could ask. */
const ofServer = {
  duplicate_event: z.object({
    event_id: z.string(),
    accepted_at: z.iso.datetime().meta({ description: 'When the event was accepted before.' }),
    same_payload: z.boolean().meta({ description: 'Whether it says the same as this one.' }),
  }),
} as const;
const ofBrowser = { duplicate_event: z.object({ event_id: z.string() }) } as const;

export const postEvents = defineRoute({
  id: 'postEvents',
  part: 'ingestion',
  method: 'POST',
  path: '/v1/events',
  summary: 'Accept one event',
  auth: { key: 'events:write' },
  body: event,
  replies: { 202: accepted },
  errors: ['merchant_mismatch', 'duplicate_event', 'event_limit_reached', 'misdirected_request'],
  failureExtras: ofServer,
  bodySizeMaxBytes: EVENT_LIMITS.eventSizeMaxBytes,
});

export const postIngest = defineRoute({
  id: 'postIngest',
  part: 'ingestion',
  method: 'POST',
  path: '/v1/ingest',
  summary: 'Accept one event, or a batch answered event by event',
  auth: { key: 'events:write' },
  body: z.union([event, batch(event, EVENT_LIMITS.batchEventsMax)]),
  replies: { 202: z.union([accepted, eventResults]) },
  errors: ['merchant_mismatch', 'duplicate_event', 'event_limit_reached', 'misdirected_request'],
  failureExtras: ofServer,
  bodySizeMaxBytes: EVENT_LIMITS.batchSizeMaxBytes,
});

const BROWSER_ERRORS = [
  'unknown_merchant',
  'merchant_suspended',
  'browser_ingestion_disabled',
  'origin_not_allowed',
  'rate_limited',
  'browser_limit_reached',
  'misdirected_request',
] as const;

export const postBrowserEvents = defineRoute({
  id: 'postBrowserEvents',
  part: 'ingestion',
  method: 'POST',
  path: '/v1/browser/events',
  summary: 'Accept events from a browser: 30 in 60 seconds per merchant and client address',
  auth: 'public',
  body: z.union([
    browserEvent,
    batch(event, EVENT_LIMITS.browserBatchEventsMax).extend({ merchant_id: z.guid() }),
  ]),
  replies: { 202: z.union([accepted, eventResults]) },
  errors: ['merchant_mismatch', 'duplicate_event', ...BROWSER_ERRORS],
  failureExtras: ofBrowser,
  cors: 'any',
  bodySizeMaxBytes: EVENT_LIMITS.browserBodySizeMaxBytes,
  bodyTypes: ['application/json', 'text/plain'],
});

export const getPixel = defineRoute({
  id: 'getPixel',
  part: 'ingestion',
  method: 'GET',
  path: '/v1/pixel.js',
  summary: 'The browser SDK',
  auth: 'public',
  replies: { 200: z.string(), 304: null },
  errors: ['misdirected_request'],
  cors: 'any',
  replyType: 'text/javascript',
});

export const INGESTION_ROUTES = [postEvents, postIngest, postBrowserEvents, getPixel] as const;

/** Some systems number people. */
const personId = z.union([z.string(), z.int()]).nullish();

const segmentMessage = z
  .object({
    messageId: z
      .union([z.string().max(EVENT_LIMITS.eventIdMaxChars), z.int()])
      .nullish()
      .meta({
        description: 'Becomes the event_id.',
      }),
    userId: personId,
    anonymousId: personId,
    timestamp: z.string().nullish(),
    context: z.looseObject({}).nullish(),
    integrations: z.looseObject({}).nullish(),
  })
  .loose()
  .meta({ id: 'SegmentMessage', description: 'userId or anonymousId is required.' });

const segmentBatch = (max: number) =>
  z.object({
    batch: z
      .array(segmentMessage.safeExtend({ type: z.enum(SEGMENT_CALLS) }))
      .min(1)
      .max(max),
    sentAt: z.string().optional(),
  });
const segmentTaken = z.object({ success: z.literal(true) });

/** Of RudderStack's clients; Segment's have `/v1/import` for what lies in the past. */
const BATCH_ALIASES = ['/v1/b', '/v1/import'];
const ALIASES: Readonly<Record<SegmentCall, readonly string[]>> = {
  track: ['/v1/t'],
  page: ['/v1/p'],
  screen: ['/v1/s'],
  identify: ['/v1/i'],
  group: ['/v1/g'],
  alias: ['/v1/a'],
};

const segmentRoute = (call: SegmentCall) =>
  defineRoute({
    id: `postSegment${call.charAt(0).toUpperCase()}${call.slice(1)}` as `postSegment${Capitalize<SegmentCall>}`,
    part: 'ingestion',
    method: 'POST',
    path: `/v1/${call}`,
    aliases: ALIASES[call],
    summary: `Accept one ${call} call of Segment's tracking API`,
    auth: { key: 'events:write', basic: true },
    body: segmentMessage,
    replies: { 200: segmentTaken },
    errors: ['event_limit_reached', 'misdirected_request'],
    bodySizeMaxBytes: EVENT_LIMITS.eventSizeMaxBytes,
    anyBodyType: true,
  });

const postSegmentBatch = defineRoute({
  id: 'postSegmentBatch',
  part: 'ingestion',
  method: 'POST',
  path: '/v1/batch',
  aliases: BATCH_ALIASES,
  summary: "Accept a batch of Segment's tracking API, answered message by message",
  auth: { key: 'events:write', basic: true },
  body: segmentBatch(EVENT_LIMITS.batchEventsMax),
  replies: { 200: eventResults },
  errors: ['event_limit_reached', 'misdirected_request'],
  bodySizeMaxBytes: EVENT_LIMITS.batchSizeMaxBytes,
  anyBodyType: true,
});

/** Single calls too, by the paths that analytics.js adds to its `apiHost`. */
const postBrowserSegment = defineRoute({
  id: 'postBrowserSegment',
  part: 'ingestion',
  method: 'POST',
  path: '/v1/browser/batch',
  aliases: ['b', 't', 'p', 's', 'i', 'g', 'a'].map((end) => `/v1/browser/${end}`),
  summary: "Accept calls of Segment's browser library",
  auth: 'public',
  body: segmentBatch(EVENT_LIMITS.browserBatchEventsMax).extend({ writeKey: z.guid() }),
  replies: { 200: z.union([segmentTaken, eventResults]) },
  errors: BROWSER_ERRORS,
  cors: 'any',
  bodySizeMaxBytes: EVENT_LIMITS.browserBodySizeMaxBytes,
  anyBodyType: true,
});

export const SEGMENT_ROUTES = [
  postSegmentBatch,
  ...SEGMENT_CALLS.map(segmentRoute),
  postBrowserSegment,
] as const;
