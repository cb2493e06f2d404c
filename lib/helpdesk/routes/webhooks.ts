// Webhooks: where a workspace's events are sent. Secrets go out once, in the answer that makes them. Each operation has an
// older path, for API keys, and its twin under v1, for sessions as well.
import * as z from 'zod';
import { succeeds } from '#lib/core/routes/wire.ts';
import type { ErrorCode } from '../../core/http/errors.ts';
import { defineRoute, type Route } from '../../core/http/route.ts';
import { limitParam, offsetParam } from '../../core/routes/list-query.ts';
import { URL_MAX_CHARS } from '../../core/webhooks/url.ts';
import { OFFSET_MAX } from '../domain/account/limits.ts';
import { EVENT_KINDS } from '../domain/webhooks/event-kind.ts';
import { WEBHOOKS_MAX } from '../domain/webhooks/webhook.ts';
import {
  CAPPED,
  count,
  freeForm,
  id,
  idParams,
  line,
  older,
  openLine,
  paged,
  success,
  successReply,
  time,
  timeOrNull,
  v1,
} from './wire.ts';

const DESCRIPTION_MAX_CHARS = 255;
const TEST_EVENT_MAX_CHARS = 128;
/** The specification's advice for what receivers take. */
const TEST_PAYLOAD_MAX_BYTES = 20_000;

const webhookFields = {
  id: z.guid(),
  url: z.string(),
  events: z.array(z.string()).meta({ description: 'Kinds of events, or `*`.' }),
  description: z.string().nullable(),
  active: z.boolean(),
  disabled_reason: z.enum(['gone', 'failing', 'manual']).nullable().meta({
    description:
      '`gone`: the receiver answered 410. `failing`: it took nothing for 120 hours. Null while active.',
  }),
  failing_since: timeOrNull,
  last_success_at: timeOrNull.meta({ description: 'To the minute.' }),
  last_failure_at: timeOrNull.meta({ description: 'To the minute.' }),
  secret_hint: z.string().meta({ description: 'The end of the secret that signs.' }),
  created_at: time,
  updated_at: time,
};
const webhook = z.object(webhookFields).meta({ id: 'Webhook' });
const withSecret = z
  .object({
    ...webhookFields,
    secret: z.string().meta({
      description: 'Signs what is sent, as https://www.standardwebhooks.com says. In this answer only.',
    }),
  })
  .meta({ id: 'WebhookWithSecret' });

const delivery = z
  .object({
    id: z.string(),
    webhook_id: z.guid(),
    event_id: z.guid(),
    type: z.string(),
    status: z.enum(['pending', 'delivered', 'failed', 'cancelled', 'test']),
    attempts: count,
    last_status: z.int().nullable().meta({ description: 'HTTP status of the last answer.' }),
    last_error: z.string().nullable(),
    last_latency_ms: count.nullable(),
    next_attempt_at: timeOrNull,
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'WebhookDelivery' });

const url = z.string().min(1).max(URL_MAX_CHARS).meta({
  description: 'https, port 443 or from 1024 on, without credentials and fragment, at a public address.',
});
const events = z
  .array(z.enum(['*', ...EVENT_KINDS]))
  .min(1)
  .max(EVENT_KINDS.length + 1);
const description = openLine(DESCRIPTION_MAX_CHARS).nullable();

const createBody = z.strictObject({
  url,
  events: events.default(['*']),
  description: description.default(null),
  active: z.boolean().default(true),
});
const updateBody = z.strictObject({
  url: url.optional(),
  events: events.optional(),
  description: description.optional(),
  active: z.boolean().optional().meta({ description: 'True: what failed before no longer counts.' }),
});
const testBody = z
  .strictObject({
    event: line(TEST_EVENT_MAX_CHARS).default('ticket.created'),
    payload: freeForm(TEST_PAYLOAD_MAX_BYTES).optional(),
  })
  .meta({ id: 'TestWebhookRequest' })
  .optional();
const retryParams = z.object({
  id,
  delivery_id: z
    .string()
    .regex(/^[0-9a-fA-F-]{36}\.[0-9a-fA-F-]{36}$/)
    .toLowerCase(),
});

const texts = { not_found: 'Webhook not found' } as const;
const one = { texts, params: idParams, errors: ['not_found'] } as const;

/** One operation by its older path and by v1. */
const twins = <
  const Older extends string,
  const Newer extends string,
  const Operation extends Omit<Route<ErrorCode>, 'id' | 'part' | 'path' | 'auth'>,
>(
  [olderId, id]: readonly [Older, Newer],
  path: string,
  operation: Operation,
) =>
  [
    defineRoute({
      ...older('write:webhooks'),
      ...operation,
      id: olderId,
      path: `/api/webhooks${path}`,
    }),
    defineRoute({ ...v1('write:webhooks'), ...operation, id, path: `/api/v1/webhooks${path}` }),
  ] as const;

const TWINS = [
  twins(['findWebhooks', 'listWebhooks'], '', {
    method: 'GET',
    summary: `Webhooks, oldest first; at most ${WEBHOOKS_MAX} in a workspace`,
    replies: succeeds({ webhooks: z.array(webhook), total: count }),
    errors: [],
  }),
  twins(['addWebhook', 'createWebhook'], '', {
    method: 'POST',
    summary: 'Create a webhook; its secret is in this answer and in no other',
    idempotent: true,
    body: createBody,
    replies: { 201: z.object({ success, webhook: withSecret }) },
    replyHeaders: { location: 'Path of the webhook.' },
    errors: [],
  }),
  twins(['readWebhook', 'getWebhook'], '/:id', {
    ...one,
    method: 'GET',
    summary: 'One webhook',
    replies: succeeds({ webhook }),
  }),
  twins(['changeWebhook', 'updateWebhook'], '/:id', {
    ...one,
    method: 'PATCH',
    summary: 'Change a webhook: only what is given changes',
    body: updateBody,
    replies: succeeds({ webhook }),
  }),
  twins(['removeWebhook', 'deleteWebhook'], '/:id', {
    ...one,
    method: 'DELETE',
    summary: 'Delete a webhook; what waits for it is not sent',
    replies: { 200: successReply },
  }),
  twins(['renewWebhookSecret', 'rotateWebhookSecret'], '/:id/rotate-secret', {
    ...one,
    method: 'POST',
    summary: 'Give a webhook a new secret; for 24 hours the old one signs as well',
    idempotent: true,
    replies: succeeds({ webhook: withSecret }),
  }),
  twins(['tryWebhook', 'testWebhook'], '/:id/test', {
    ...one,
    method: 'POST',
    summary: 'Send one event to a webhook now, active or not; it is not retried',
    body: testBody,
    replies: {
      200: z
        .object({
          success,
          delivered: z.boolean().meta({ description: 'The receiver answered 2xx within 5 seconds.' }),
        })
        .meta({ id: 'TestWebhookResponse' }),
    },
  }),
  twins(['findWebhookDeliveries', 'listWebhookDeliveries'], '/:id/deliveries', {
    ...one,
    method: 'GET',
    summary: 'What was sent to a webhook in the last 30 days, newest first',
    query: z.strictObject({ limit: limitParam(50, 100), offset: offsetParam(OFFSET_MAX) }),
    replies: succeeds({ deliveries: z.array(delivery), ...paged }),
    replyHeaders: CAPPED,
  }),
  twins(['resendWebhookDelivery', 'retryWebhookDelivery'], '/:id/deliveries/:delivery_id/retry', {
    method: 'POST',
    summary: 'Send a delivery once more, now, and as often as the retry table says',
    texts: { not_found: 'Delivery not found' },
    params: retryParams,
    replies: succeeds({ delivery }),
    errors: ['not_found'],
  }),
] as const;

export const WEBHOOK_ROUTES = [...TWINS.map(([route]) => route), ...TWINS.map(([, route]) => route)];
