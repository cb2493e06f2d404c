// A stand-in for a merchant's own server: it checks the signature as the specification of Standard Webhooks says, and takes
// what looks like an event. https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { type Call, defineSandbox } from '../define-sandbox.ts';
import { consent, content, person, words } from '../own-event.ts';
import { jsonAnswer, type SandboxAnswer } from '../platform-sandbox.ts';
import { all } from '../reading.ts';

/** Seconds by which a request may be late: the specification leaves it to receivers. */
const TOLERANCE_SEC = 300;

const eventSchema = z.strictObject({
  type: words,
  timestamp: z.iso.datetime(),
  test: z.literal(true).optional(),
  data: z.strictObject({
    event_id: words,
    event_time: z.int(),
    action_source: words,
    source: words,
    ...content,
    custom_data: z.record(z.string(), z.unknown()).optional(),
    consent,
    app: z
      .strictObject({
        platform: z.enum(['ios', 'android']).optional(),
        tracking: z.enum(['not_determined', 'restricted', 'denied', 'authorized']).optional(),
        extinfo: z.array(z.string()).length(16).optional(),
        ...all(
          words.optional(),
          'id name version build instance_id vendor_id campaign_ids os_version device_model device_brand carrier',
        ),
        ...all(words.optional(), 'locale timezone screen_width screen_height screen_density'),
      })
      .optional(),
    user: person,
  }),
});

export const sandbox = defineSandbox<string>({
  slug: 'webhook',
  hosts: ['hooks.shop.example'],
  // By the id of the message, which is made of that of the event.
  dedupeWindowSec: 0,
  acknowledgesByStatus: true,
  login: ({ url, secret, authorization }) => ({
    account: new URL(String(url)).pathname.slice(1),
    secret: String(authorization ?? secret),
  }),
  seen: {
    name: 'type',
    id: (event) => dataOf(event).event_id,
    value: (event) => dataOf(event).value,
    currency: (event) => dataOf(event).currency,
  },
  path: /^\/([\w-]{1,64})$/,
  events: (body) => [body],
  eventsMax: 1,
  isTest: (_request, { test }) => test === true,
  secret: signer,
  refusals: {
    noRoute: refused(404, 'not_found', 'Nothing here.'),
    noJson: refused(400, 'not_json', 'The body is not JSON.'),
    wrongSecret: refused(401, 'wrong_signature', 'The signature is not ours.'),
    noEvents: refused(400, 'no_event', 'There is no event.'),
    tooManyEvents: refused(400, 'too_many', 'One event a request.'),
  },
  refusalOf: (event, { account }) => {
    // Where bodies have a form of the merchant's own.
    if (account === 'own-form') return null;
    const { error } = eventSchema.safeParse(event);
    return error === undefined ? null : z.prettifyError(error);
  },
  reasonOf: (reason) => reason,
  answer: ([reason]) =>
    reason == null ? { status: 204, headers: {}, body: '' } : refused(422, 'not_an_event', reason),
  allOrNothing: true,
  provoked: {
    throttled: refused(429, 'slow_down', 'Too many requests.'),
    unavailable: refused(503, 'unavailable', 'Back soon.'),
  },
});

const dataOf = ({ data }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  typeof data === 'object' && data !== null ? (data as Readonly<Record<string, unknown>>) : {};

/** The secret that signed the request; undefined where none did. Without keys the signature stays unread. */
function signer({ request: { headers, body }, context, account }: Call): string | undefined {
  const [id = '', time = '', signatures = ''] = ['id', 'timestamp', 'signature'].map(
    (name) => headers[`webhook-${name}`] ?? '',
  );
  const isFormal =
    /^msg_[\w-]{1,60}$/.test(id) &&
    /^\d{10}$/.test(time) &&
    Math.abs(context.nowMs / 1_000 - Number(time)) <= TOLERANCE_SEC &&
    /^v1,[A-Za-z0-9+/]{43}=$/.test(signatures);
  if (!isFormal) return undefined;
  const known = context.credentialsOf?.(account);
  if (known === undefined) return headers.authorization ?? signatures;
  const secret = String(known.secret);
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
  return signatures === `v1,${expected}` ? (headers.authorization ?? secret) : undefined;
}

function refused(status: number, code: string, message: string): SandboxAnswer {
  return jsonAnswer(status, { error: { code, message } });
}
