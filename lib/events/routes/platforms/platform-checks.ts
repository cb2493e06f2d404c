// Looking before leaping: the request an event would become, and a test of a connection that nobody counts.
// Nothing here returns a secret: requests come masked, answers of platforms redacted.
import * as z from 'zod';
import { JOBS } from '#lib/core/routes/call-limits.ts';
import { succeeds } from '#lib/core/routes/wire.ts';
import { EVENT_LIMITS, type eventSchema } from '../../domain/event/event.ts';
import { VERDICT_CODES } from '../../pipeline/verdicts.ts';
import { PLATFORMS } from '../../platforms/registry.ts';
import { defineRoute, MANAGES } from '../define-route.ts';
import { ENDED, PROCESSING, STORED_ID_MAX_CHARS, trust } from '../events.ts';

const CONNECTION_ID_MAX_CHARS = 100;

export const notice = z
  .object({
    code: z.string(),
    field: z.string().optional().meta({ description: 'Dotted name of what it is about.' }),
    message: z.string(),
  })
  .meta({ id: 'Notice' });

const request = z
  .object({
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string().meta({ description: 'Byte for byte, but for the secrets.' }),
    body_json: z.unknown().meta({ description: 'The body, parsed; null where it is not JSON.' }),
  })
  .meta({ id: 'PlatformRequest', description: 'A request to a platform; every secret is written ***.' });

/** Judged by the handler with ingestion's own check, so that it says what ingestion would say. */
const pastedEvent = z
  .custom<z.input<typeof eventSchema>>((value) => typeof value === 'object' && value !== null, {
    message: 'must be an event',
  })
  .meta({ allOf: [{ $ref: '#/components/schemas/Event' }], description: 'As POST /v1/events takes it.' });

const previewBody = z
  .strictObject({
    platform: z.enum(PLATFORMS.map(({ slug }): string => slug)),
    credentials: z.record(z.string(), z.unknown()).optional().meta({
      description:
        'As POST /v1/platforms takes them; used for this answer and not kept. Where absent, those of the connection; where there is none, samples.',
    }),
    connection_id: z.string().min(1).max(CONNECTION_ID_MAX_CHARS).optional(),
    event: pastedEvent.optional(),
    event_id: z.string().min(1).max(STORED_ID_MAX_CHARS).optional().meta({
      description: 'A stored event, instead of a pasted one.',
    }),
    trust: trust.optional().meta({ description: 'The copy of event_id; the server one is preferred.' }),
  })
  .refine(({ event, event_id }) => (event === undefined) !== (event_id === undefined), {
    path: ['event'],
    message: 'needs either event or event_id',
  })
  .refine(({ credentials, connection_id }) => credentials === undefined || connection_id === undefined, {
    path: ['credentials'],
    message: 'not together with connection_id',
  });

export const previewPlatform = defineRoute({
  ...MANAGES,
  id: 'previewPlatform',
  method: 'POST',
  readOnly: true,
  path: '/v1/platforms/preview',
  summary: 'The request an event would become at a platform, connected or not; nothing is sent or stored',
  body: previewBody,
  replies: succeeds({
    platform: z.string(),
    label: z.string(),
    credentials: z
      .enum(['given', 'connection', 'sample'])
      .meta({ description: 'Whose the credentials in the request are.' }),
    connection_id: z.string().nullable().meta({
      description: 'Whose rules, list of events and consent decided; null where it is of none.',
    }),
    event_id: z.string(),
    event_name: z.string().meta({ description: 'Canonical.' }),
    api_version: z.string().meta({ description: 'Of the platform, that the request is for.' }),
    verdict: z.enum([...VERDICT_CODES, ...ENDED, PROCESSING]).meta({
      description:
        'What would become of the event if it came in now with these credentials: `pending` where it would be sent. What has become of a stored one says /v1/events/:id/explain.',
    }),
    subject: z.string().optional(),
    explanation: z.string(),
    request: request
      .nullable()
      .meta({ description: 'As it would be sent if nothing in warnings withheld it.' }),
    warnings: z.array(notice),
    errors: z.array(notice).meta({ description: 'Why there is no request; empty where there is one.' }),
  }),
  errors: ['not_found', 'merchant_mismatch', 'personal_data_erased'],
  bodySizeMaxBytes: EVENT_LIMITS.eventSizeMaxBytes,
});

export const connectionTest = z
  .object({
    success: z.literal(true),
    ok: z.boolean().meta({ description: 'True when the platform took the event.' }),
    platform: z.string(),
    connection_id: z.string(),
    api_version: z.string().meta({ description: 'Of the platform, that the request was for.' }),
    event_id: z.string(),
    event_name: z.string().optional().meta({ description: 'Canonical; the first the connection can send.' }),
    stage: z
      .enum(['credentials', 'token', 'event'])
      .meta({ description: 'How far it came: token is the exchange of a refresh token.' }),
    http_status: z.int().optional(),
    latency_ms: z.number().nullable().meta({ description: 'Of the request with the event.' }),
    outcomes: z.array(
      z.object({
        event_id: z.string(),
        outcome: z.string(),
        code: z.string().optional(),
        message: z.string().optional(),
      }),
    ),
    warnings: z.array(notice),
    request: request.nullable(),
    response: z
      .object({
        headers: z.record(z.string(), z.string()),
        body: z.string().meta({ description: 'Its beginning, redacted.' }),
      })
      .nullable(),
  })
  .meta({
    id: 'ConnectionTest',
    description: 'What the platform answered to a made-up event in its test mode.',
  });

export const testPlatform = defineRoute({
  ...MANAGES,
  id: 'testPlatform',
  rateLimit: JOBS,
  method: 'POST',
  path: '/v1/platforms/:id/test',
  summary:
    "Send a made-up event in the platform's test mode: nobody counts it, and the connection stays as it is",
  params: z.object({ id: z.string().min(1).max(CONNECTION_ID_MAX_CHARS) }),
  replies: {
    200: connectionTest,
  },
  errors: ['not_found', 'test_mode_unavailable'],
});

export const PLATFORM_CHECK_ROUTES = [previewPlatform, testPlatform] as const;
