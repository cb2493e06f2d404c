// What merchants' servers and browsers call. The app that answers is services/events/ingestion; this is what may be known of it.
import * as z from 'zod';
import { defineRoute } from '../../core/http/route.ts';
import { EVENT_LIMITS, eventSchema } from '../domain/event.ts';

const accepted = z
  .object({ success: z.literal(true), event_id: z.string() })
  .meta({ id: 'EventAccepted', description: 'The event is stored and will be delivered.' });

const result = z
  .object({
    event_id: z.string().nullable(),
    status: z.int().meta({ description: 'The status this event would have been answered with on its own.' }),
    code: z.string().optional(),
    error: z.string().optional(),
    details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    accepted_at: z.iso
      .datetime()
      .optional()
      .meta({ description: 'Of a duplicate, on the server path only.' }),
    same_payload: z.boolean().optional().meta({ description: 'Of a duplicate, on the server path only.' }),
  })
  .meta({ id: 'EventResult', description: 'What became of one event of a batch; in the order sent.' });

const results = z
  .object({
    success: z.boolean().meta({ description: 'True when every event was accepted.' }),
    results: z.array(result),
  })
  .meta({ id: 'EventResults' });

const event = eventSchema.meta({ id: 'Event', description: 'A conversion or behaviour event.' });
const browserEvent = eventSchema
  .safeExtend({ merchant_id: z.guid() })
  .meta({ id: 'BrowserEvent', description: 'An event as sent by a browser: merchant_id names the owner.' });

const batch = <Item extends z.ZodType>(item: Item, max: number) =>
  z.object({ events: z.array(item).min(1).max(max) });

export const postEvents = defineRoute({
  id: 'postEvents',
  part: 'ingestion',
  method: 'POST',
  path: '/v1/events',
  summary: 'Accept one event',
  auth: { key: 'events:write' },
  body: event,
  replies: { 202: accepted },
  errors: ['merchant_mismatch', 'duplicate_event'],
  bodySizeMaxBytes: EVENT_LIMITS.bodySizeMaxBytes,
});

export const postIngest = defineRoute({
  id: 'postIngest',
  part: 'ingestion',
  method: 'POST',
  path: '/v1/ingest',
  summary: 'Accept one event, or a batch answered event by event',
  auth: { key: 'events:write' },
  body: z.union([event, batch(event, EVENT_LIMITS.batchEventsMax)]),
  replies: { 202: z.union([accepted, results]) },
  errors: ['merchant_mismatch', 'duplicate_event'],
  bodySizeMaxBytes: EVENT_LIMITS.bodySizeMaxBytes,
});

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
  replies: { 202: z.union([accepted, results]) },
  errors: [
    'unknown_merchant',
    'browser_ingestion_disabled',
    'origin_not_allowed',
    'duplicate_event',
    'rate_limited',
    'browser_limit_reached',
  ],
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
  errors: [],
  replyType: 'text/javascript',
});

export const INGESTION_ROUTES = [postEvents, postIngest, postBrowserEvents, getPixel] as const;
