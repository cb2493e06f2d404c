// One event into one signed request. Amounts keep their digits.
import { createHash } from 'node:crypto';
import { signedHeaders } from '#lib/core/webhooks/signature.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Fields } from '../answer.ts';
import { nameAt } from '../event-name.ts';
import { jsonBody, jsonNumber } from '../json-body.ts';
import { ownApp, ownPerson } from '../own-person.ts';
import type { BuildRequest, Unsendable } from '../platform.ts';
import { moneyFault, nameFault } from '../unsendable.ts';
import { webUrl } from '../web-url.ts';
import type { WebhookCredentials } from './credentials.ts';
import { WEBHOOK_EVENT_NAMES } from './event-names.ts';
import { filled, namedIn } from './template.ts';

export function webhookUnsendable(event: NormalizedEvent): Unsendable | null {
  return nameFault(nameAt(WEBHOOK_EVENT_NAMES, event), event) ?? moneyFault(event);
}

/** A body of the merchant's own form says that it is a test only where it names that. */
export const isTestable = ({ body }: WebhookCredentials): boolean =>
  body === undefined || namedIn(body).includes('test');

export const webhookRequest: BuildRequest<WebhookCredentials> = (
  [event, ...others],
  credentials,
  context,
) => {
  if (event === undefined || others.length > 0) throw new RangeError('a request is for one event');
  if (context.test && !isTestable(credentials)) throw new RangeError('a test would be counted');
  const { url, secret, authorization, body: template } = credentials;
  const message = messageOf(event, context.test);
  const body = jsonBody(template === undefined ? message : filled(template, message));
  const atMs = context.nowMs ?? event.receivedAtMs;
  return {
    method: 'POST',
    url,
    headers: {
      ...signedHeaders({ id: messageId(event), atMs, body, secrets: [secret] }),
      ...(authorization === undefined ? {} : { authorization }),
    },
    body,
    // The secret that signs is not in the request.
    secrets: authorization === undefined ? [] : [authorization],
  };
};

/** Of any text, what a header takes: the same for every attempt and replay of the event. */
const messageId = ({ dedupId }: NormalizedEvent): string =>
  `msg_${createHash('sha256').update(dedupId).digest('base64url').slice(0, 27)}`;

/** What the template's paths lead into, too: `template.ts` knows which there are. */
function messageOf(event: NormalizedEvent, test: boolean): Fields {
  return {
    type: nameAt(WEBHOOK_EVENT_NAMES, event),
    timestamp: new Date(event.eventTimeSec * 1_000).toISOString(),
    test: test ? true : undefined,
    data: {
      event_id: event.dedupId,
      event_time: event.eventTimeSec,
      action_source: event.actionSource,
      source: event.source,
      event_source_url: webUrl(event.eventSourceUrl),
      referrer_url: webUrl(event.referrerUrl),
      order_id: event.orderId,
      value: jsonNumber(event.value),
      currency: event.currency,
      items: event.items.map(({ quantity, price, ...item }) => ({
        ...item,
        quantity: jsonNumber(quantity),
        price: jsonNumber(price),
      })),
      custom_data: event.customData,
      consent: event.consent,
      app: ownApp(event),
      user: ownPerson(event),
    },
  };
}
