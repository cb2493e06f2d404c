// An order through our own code: the event schema has read it, `normalizeEvent` with the real tables of phones and regions
// normalizes and hashes it, the platform builds the request.

import { nationalPhone } from '../../lib/adapters/phone/national-phone.ts';
import { countryCode, regionCode } from '../../lib/adapters/regions/region-codes.ts';
import type { NormalizedEvent } from '../../lib/domain/normalized-event.ts';
import { normalizeEvent } from '../../lib/platforms/normalize-event.ts';
import type { BuildContext, Platform } from '../../lib/platforms/platform.ts';
import type { Order } from './order.ts';

const MERCHANT = '0192f7a0-0000-7000-8000-000000000001';
const LOOKUPS = { nationalPhone, countryCode, regionCode };

/** The event as the platform sees it, the plain values it declared included. */
function normalized({ body }: Order, platform: Platform): NormalizedEvent {
  const receivedAtMs = body.event_time * 1_000 + 250;
  const { event, keep } = normalizeEvent(
    { key: { merchantId: MERCHANT, trust: 'server', eventId: body.event_id }, receivedAtMs, body },
    {
      merchantId: MERCHANT,
      version: 1,
      connections: [{ id: 'connection', platform: platform.slug }],
      rules: [],
    },
    [platform],
    LOOKUPS,
  );
  return { ...event, sealed: keep };
}

export type Built = { readonly body: unknown } | { readonly refused: string };

/** The body of the request, parsed; or why there is none. */
export function ourRequest<Credentials>(
  order: Order,
  platform: Platform<Credentials>,
  credentials: Credentials,
  context: Partial<BuildContext> = {},
): Built {
  const event = normalized(order, platform as Platform);
  const unsendable = platform.unsendable(event, credentials);
  if (unsendable !== null) return { refused: `${unsendable.verdict}: ${unsendable.subject}` };
  const request = platform.buildRequest([event], credentials, { test: false, ...context });
  return { body: JSON.parse(request.body) };
}
