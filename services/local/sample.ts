// One purchase through the real pipeline: sent as a merchant's server would, then looked for at every platform.
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';

export interface SampleTarget {
  readonly ingestion_url: string;
  readonly sandbox_url: string;
  readonly api_key: string;
}

const arrivalSchema = z.object({
  seq: z.number(),
  at: z.string(),
  event_name: z.string(),
  event_id: z.string(),
  accepted: z.boolean(),
  reason: z.string().optional(),
  payload: z.unknown(),
});
export type SampleArrival = z.output<typeof arrivalSchema>;

const receivedSchema = z.object({
  platforms: z.array(z.object({ platform: z.string(), events: z.array(arrivalSchema) })),
});

export interface SampleReport {
  readonly eventId: string;
  /** Of the answer to the request. */
  readonly status: number;
  readonly acceptedAfterMs: number;
  /** Platform slug → what arrived there; undefined: nothing yet. */
  readonly arrivals: ReadonlyMap<string, SampleArrival | undefined>;
  /** Until the last of them arrived. */
  readonly arrivedAfterMs: number;
}

const ARRIVE_MAX_MS = 60_000;
const LOOK_EVERY_MS = 50;

export async function sendSample(target: SampleTarget): Promise<SampleReport> {
  const before = await received(target);
  const lastSeq = Math.max(0, ...[...before.values()].flat().map(({ seq }) => seq));
  const eventId = `sample-${Date.now().toString(36)}-${randomBytes(3).toString('hex')}`;
  const startedMs = performance.now();
  const answer = await fetch(`${target.ingestion_url}/v1/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${target.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(purchase(eventId, Math.floor(Date.now() / 1_000))),
  });
  await answer.arrayBuffer();
  const acceptedAfterMs = performance.now() - startedMs;
  let arrivals = new Map<string, SampleArrival | undefined>();
  while (answer.ok && performance.now() - startedMs < ARRIVE_MAX_MS) {
    const now = await received(target);
    arrivals = new Map(
      [...now].map(([slug, events]) => [
        slug,
        events.find((event) => event.seq > lastSeq && mentions(event, eventId)),
      ]),
    );
    if ([...arrivals.values()].every((arrival) => arrival !== undefined)) break;
    await pause(LOOK_EVERY_MS);
  }
  return {
    eventId,
    status: answer.status,
    acceptedAfterMs,
    arrivals,
    arrivedAfterMs: performance.now() - startedMs,
  };
}

async function received({ sandbox_url }: SampleTarget): Promise<Map<string, SampleArrival[]>> {
  const answer = await fetch(`${sandbox_url}/received`);
  const { platforms } = receivedSchema.parse(await answer.json());
  return new Map(platforms.map(({ platform, events }) => [platform, events]));
}

/** Not every platform has a field for the id: then the order's id is looked for. */
const mentions = (event: SampleArrival, eventId: string): boolean =>
  event.event_id === eventId || JSON.stringify(event.payload).includes(eventId);

function purchase(eventId: string, nowSec: number): unknown {
  return {
    event_id: eventId,
    event_name: 'Purchase',
    event_time: nowSec,
    source: 'server',
    action_source: 'website',
    event_source_url: `https://shop.example/thank-you?order=${eventId}`,
    value: 59.98,
    currency: 'USD',
    order_id: eventId,
    items: [
      { id: 'SKU-1', quantity: 2, price: 24.99 },
      { id: 'SKU-2', quantity: 1, price: 10 },
    ],
    user_data: {
      email: ' Jane.Doe@Example.com ',
      phone: '+1 (415) 555-0132',
      first_name: 'Jane',
      last_name: 'Doe',
      city: 'San Francisco',
      state: 'California',
      postal_code: '94103',
      country: 'US',
      customer_id: 'customer-42',
      client_ip: '203.0.113.7',
      user_agent:
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36',
      browser_ids: {
        fbp: `fb.1.${nowSec}000.1098115397`,
        ttp: 'a1b2c3d4e5f6a7b8c9d0',
        irclickid: 'QiiWXOVnrQ3SQHl24jQjyxBGUkmzfJ3i1VHrWM0',
        ga_client_id: `1098115397.${nowSec}`,
        ga_session_id: String(nowSec),
      },
    },
    consent: {
      ad_user_data: 'granted',
      ad_personalization: 'granted',
      ad_storage: 'granted',
      analytics: 'granted',
    },
  };
}
