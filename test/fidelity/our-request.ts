// An order through our own code: the event schema has read it, `normalizeEvent` with the real tables of phones and regions
// decides whether the platform is to have it, normalizes and hashes it, the platform builds the request.

import { nationalPhone } from '../../lib/adapters/phone/national-phone.ts';
import { countryCode, regionCode } from '../../lib/adapters/regions/region-codes.ts';
import type { ConsentSignal } from '../../lib/events/domain/event/consent.ts';
import { type OutgoingEvent, toOutgoing } from '../../lib/events/domain/privacy/outgoing-event.ts';
import { normalizeEvent } from '../../lib/events/pipeline/normalize-event.ts';
import { type Verdict, verdictsOf } from '../../lib/events/pipeline/verdicts.ts';
import type { BuildContext, Platform } from '../../lib/events/platforms/platform.ts';
import type { Order } from './order.ts';

const MERCHANT = '0192f7a0-0000-7000-8000-000000000001';
const LOOKUPS = { nationalPhone, countryCode, regionCode };

interface Decided {
  /** As the platform sees it, the plain values it declared included. */
  readonly event: OutgoingEvent;
  readonly verdict: Verdict | undefined;
}

function decided({ body }: Order, platform: Platform): Decided {
  const receivedAtMs = body.event_time * 1_000 + 250;
  const { event, verdicts } = normalizeEvent(
    { key: { merchantId: MERCHANT, channel: 'server', eventId: body.event_id }, receivedAtMs, body },
    {
      merchantId: MERCHANT,
      version: 1,
      connections: [{ id: 'connection', platform: platform.slug }],
      rules: [],
    },
    [platform],
    LOOKUPS,
  );
  return { event: toOutgoing(event), verdict: verdictsOf({ verdicts }, [platform])[platform.slug] };
}

/** Why there is no request; `withheld` names the signal where the person refused it. */
export interface Refusal {
  readonly refused: string;
  readonly withheld?: ConsentSignal;
}
export type Built = { readonly body: unknown } | Refusal;

/** The body of the request, parsed; or why there is none. */
export function ourRequest<Credentials>(
  order: Order,
  platform: Platform<Credentials>,
  credentials: Credentials,
  context: Partial<BuildContext> = {},
): Built {
  const { event, verdict } = decided(order, platform as Platform);
  if (verdict?.code !== 'pending') {
    const refused = `${verdict?.code}: ${verdict?.detail}`;
    return verdict?.code === 'consent_denied'
      ? { refused, withheld: verdict.detail as ConsentSignal }
      : { refused };
  }
  const unsendable = platform.unsendable(event, credentials);
  if (unsendable !== null) return { refused: `${unsendable.verdict}: ${unsendable.detail}` };
  const request = platform.buildRequest([event], credentials, { test: false, ...context });
  return { body: JSON.parse(request.body) };
}
