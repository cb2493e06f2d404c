// Promise: a connection to Google Analytics that chooses the Data Manager API sends events of many clients in one request, learns which
// of them is refused and what became of the others, and may be moved between the two interfaces with events under way: they keep
// what Google knows them by. Method: the pipeline on memory ports, against both of Google's sandboxes.
import { beforeEach, describe, expect, it } from 'vitest';
import { connectionTarget } from '#lib/events/domain/connections/target.ts';
import type { HttpRequest, HttpResult } from '#lib/events/platforms/platform.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { sandbox } from '#services/local/sandbox/platforms/ga4/sandbox.ts';
import { asReceived } from '#test/platforms/as-received.ts';
import { examples as measured } from '#test/platforms/ga4/examples.ts';
import { examples } from '#test/platforms/ga4-other/examples.ts';
import { createMemoryPipeline, PIPELINE_MERCHANT } from '#test/support/memory-pipeline.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ga4 = PLATFORMS.filter(({ slug }) => slug === 'ga4');
const dataManager = examples[0]?.credentials ?? expect.unreachable();
const measurementProtocol = measured[0]?.credentials ?? expect.unreachable();

let pipeline: ReturnType<typeof createMemoryPipeline>;
/** Instead of the sandbox, where it answers. */
let answering: (request: HttpRequest) => HttpResult | undefined;

function open(credentials: object): void {
  answering = () => undefined;
  pipeline = createMemoryPipeline({
    platforms: ga4,
    credentials: { ga4: credentials },
    answer: (request) => {
      const answer = answering(request);
      if (answer !== undefined) return answer;
      const stand = new URL(request.url).host.includes('analytics') ? sandbox : sandbox.other;
      const context = { nowMs: pipeline.clock.now(), check: () => 'ok' as const };
      return {
        kind: 'response',
        ...(stand ?? expect.unreachable()).handle(asReceived(request), context).answer,
      };
    },
  });
}

beforeEach(() => open(dataManager));

const ofPath = (part: string) => pipeline.requests.filter(({ url }) => url.includes(part));
const event = (id: string, more: object = {}) => ({
  event_id: id,
  event_name: 'Purchase',
  event_time: Math.floor(pipeline.clock.now() / 1_000) - 60,
  ...{ value: 10, currency: 'USD', order_id: id },
  user_data: {
    email: `${id}@example.com`,
    browser_ids: { ga_client_id: `${id.length}.${pipeline.clock.now()}` },
  },
  ...more,
});

async function take(...bodies: readonly object[]): Promise<void> {
  for (const body of bodies) await pipeline.accept(body);
  await pipeline.drain();
}

async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= MINUTE_MS) {
    pipeline.clock.advance(MINUTE_MS);
    await pipeline.sweep();
    await pipeline.drain();
  }
}

async function deliveryOf(eventId: string) {
  const row = await pipeline.events.read({ merchantId: PIPELINE_MERCHANT, channel: 'server', eventId });
  return row?.state === 'normalized' ? row.deliveries.ga4 : undefined;
}

/** As a person does it, by PATCH. */
function choose(credentials: object): void {
  for (const connection of pipeline.connections.values())
    pipeline.connections.set(connectionTarget(connection), {
      ...connection,
      sealedCredentials: JSON.stringify(credentials),
    });
}

const sent = (request: HttpRequest) => JSON.parse(request.body).events;

describe('by the Data Manager API', () => {
  it('events of forty clients are one request, and by the Measurement Protocol forty', async () => {
    const many = () =>
      Array.from({ length: 40 }, (_, i) =>
        event(`order-${i}`, { user_data: { email: `p${i}@example.com` } }),
      );
    await take(...many());
    expect(ofPath(':ingest').map((request) => sent(request).length)).toEqual([40]);
    expect(
      new Set(
        sent(ofPath(':ingest')[0] ?? expect.unreachable()).map(
          ({ clientId }: { clientId: string }) => clientId,
        ),
      ).size,
    ).toBe(40);
    open(measurementProtocol);
    await take(...many());
    expect(ofPath('/mp/collect')).toHaveLength(40);
  });

  it('a success is confirmed half an hour on, or taken back, and never said of the Measurement Protocol', async () => {
    await take(event('good'));
    await take(event('bad-1'));
    expect(await deliveryOf('good')).toMatchObject({ state: 'DELIVERED', confirmation: { word: 'waiting' } });
    await pass(31 * MINUTE_MS);
    expect(await deliveryOf('good')).toMatchObject({
      state: 'DELIVERED',
      confirmation: { word: 'confirmed' },
    });
    expect(await deliveryOf('bad-1')).toMatchObject({
      ...{ state: 'FAILED', reason: 'ga4.INVALID_EVENT' },
      confirmation: { word: 'rejected' },
    });
    open(measurementProtocol);
    await take(event('good'));
    expect(await deliveryOf('good')).toMatchObject({ state: 'DELIVERED' });
    expect(await deliveryOf('good')).not.toHaveProperty('confirmation');
  });

  it('one event that Google names fails alone, and the others go again together', async () => {
    answering = (request) => {
      const index = request.url.includes(':ingest')
        ? sent(request).findIndex(({ transactionId }: { transactionId?: string }) => transactionId === 'odd')
        : -1;
      if (index < 0) return undefined;
      const field = `events.events[${index}].event_name`;
      const details = [
        { fieldViolations: [{ field, reason: 'INVALID_EVENT_NAME', description: 'No such name.' }] },
      ];
      const body = JSON.stringify({
        error: { code: 400, status: 'INVALID_ARGUMENT', message: 'm', details },
      });
      return { kind: 'response', status: 400, headers: {}, body };
    };
    await take(...['a', 'odd', 'b', 'c'].map((id) => event(id)));
    expect(ofPath(':ingest').map((request) => sent(request).length)).toEqual([4, 3]);
    expect(await deliveryOf('odd')).toMatchObject({ state: 'FAILED', reason: 'ga4.INVALID_EVENT_NAME' });
    for (const id of ['a', 'b', 'c']) expect(await deliveryOf(id)).toMatchObject({ state: 'DELIVERED' });
  });

  it('an unknown stream costs no event: they wait, and go out when the id is mended', async () => {
    const details = [
      {
        fieldViolations: [
          { field: 'destinations.product_destination_id', description: 'Resource not found.' },
        ],
      },
    ];
    const body = JSON.stringify({ error: { code: 400, status: 'INVALID_ARGUMENT', message: 'm', details } });
    answering = ({ url }) =>
      url.includes(':ingest') ? { kind: 'response', status: 400, headers: {}, body } : undefined;
    await take(event('a'), event('b'));
    expect(pipeline.connections.get('ga4')).toMatchObject({ status: 'active' });
    expect(pipeline.connections.get('ga4')).not.toHaveProperty('circuit');
    expect((await deliveryOf('a'))?.state).toBe('RETRY');
    answering = () => undefined;
    await pass(2 * HOUR_MS);
    for (const id of ['a', 'b']) expect(await deliveryOf(id)).toMatchObject({ state: 'DELIVERED' });
  });
});

describe('a connection that is moved', () => {
  /** By what Google knows a copy, and whose the event is. */
  const known = (request: HttpRequest) => {
    const { client_id, events } = JSON.parse(request.body);
    const [{ transactionId, clientId, params, additionalEventParameters = [] }] = events;
    const parameter = (name: string) =>
      params?.[name] ??
      additionalEventParameters.find(({ parameterName }: { parameterName: string }) => parameterName === name)
        ?.value;
    return [
      transactionId ?? params?.transaction_id,
      clientId ?? client_id,
      parameter('event_id'),
      parameter('session_id'),
    ];
  };
  const lost: HttpResult = { kind: 'failure', code: 'timeout', maybeDelivered: true, message: 't' };
  const sale = () =>
    event('sale', { user_data: { browser_ids: { ga_client_id: '11.22', ga_session_id: '33' } } });

  it.each([
    ['to the Data Manager API', measurementProtocol, dataManager, '/mp/collect', ':ingest'],
    ['back', dataManager, measurementProtocol, ':ingest', '/mp/collect'],
  ] as const)('%s sends what may have arrived under the same ids', async (_, from, to, before, after) => {
    open(from);
    answering = ({ url }) => (url.includes(before) ? lost : undefined);
    await take(sale());
    expect(await deliveryOf('sale')).toMatchObject({ state: 'RETRY', unknowns: 1 });
    choose({ ...from, ...to });
    await pass(20 * MINUTE_MS);
    expect(await deliveryOf('sale')).toMatchObject({ state: 'DELIVERED' });
    const [first, second] = [ofPath(before)[0], ofPath(after)[0]].map((request) =>
      known(request ?? expect.unreachable()),
    );
    expect(first).toEqual(['sale', '11.22', 'sale', '33']);
    expect(second).toEqual(first);
  });

  it('away from it is not asked any more about what it sent there', async () => {
    await take(event('a'));
    choose({ ...dataManager, ...measurementProtocol });
    await pass(31 * MINUTE_MS);
    expect(ofPath('requestStatus')).toEqual([]);
    expect(await deliveryOf('a')).toMatchObject({
      ...{ state: 'DELIVERED', confirmation: { word: 'never', reason: 'not_asked' } },
    });
  });
});
