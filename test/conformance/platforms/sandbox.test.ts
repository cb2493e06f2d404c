// Each platform against its stand-in over real HTTP, through the transport that production uses.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTransport } from '../../../lib/adapters/http/transport.ts';
import type { NormalizedEvent } from '../../../lib/domain/normalized-event.ts';
import { SAMPLE_TIME_SEC, sampleEvent } from '../../../lib/platforms/testing/sample-event.ts';
import { FAULT_KINDS, type FaultKind, KEPT_FROM_PLATFORM } from '../../../services/local/sandbox/faults.ts';
import type { Arrival, Count } from '../../../services/local/sandbox/ledger.ts';
import { startSandbox } from '../../../services/local/sandbox/server.ts';
import { loadPlatformModules, type PlatformModule } from './platform-modules.ts';

const modules = await loadPlatformModules();
const validCredentials = Object.fromEntries(
  modules.map(({ slug, examples }) => [slug, [examples[0].credentials as Record<string, unknown>]]),
);

let nowMs = SAMPLE_TIME_SEC * 1_000 + 60_000;
const sandbox = await startSandbox({ now: () => nowMs, validCredentials });
const transport = createTransport({ sandboxUrl: sandbox.url });

afterAll(async () => {
  await transport.close();
  await sandbox.close();
});

afterEach(async () => {
  nowMs = SAMPLE_TIME_SEC * 1_000 + 60_000;
  await fetch(`${sandbox.url}/faults`, { method: 'DELETE' });
  await fetch(`${sandbox.url}/received`, { method: 'DELETE' });
});

const read = async <T>(path: string): Promise<T> =>
  (await (await fetch(`${sandbox.url}${path}`)).json()) as T;
const counted = (slug: string) => read<Count>(`/counted?platform=${slug}`);
const received = async (slug: string) =>
  (await read<{ events: readonly Arrival[] }>(`/received?platform=${slug}`)).events;

async function fault(slug: string, kind: FaultKind, more: object = {}): Promise<void> {
  const body = JSON.stringify({ platform: slug, kind, count: 1, ...more });
  const answer = await fetch(`${sandbox.url}/faults`, { method: 'POST', body });
  expect(answer.status).toBe(200);
}

async function deliver(
  module: PlatformModule,
  events: readonly NormalizedEvent[],
  credentials?: object,
  timeoutMs = 3_000,
) {
  const { platform, examples } = module;
  const parsed = platform.credentials.parse({ ...(examples[0].credentials as object), ...credentials });
  const request = platform.buildRequest(events, parsed, { test: false });
  const result = await transport.send(request, { timeoutMs });
  return platform.readResponse(result, events);
}

const orders = (count: number): readonly NormalizedEvent[] =>
  Array.from({ length: count }, (_, i) =>
    sampleEvent({ eventId: `o-${i}`, dedupId: `o-${i}`, orderId: `${i}` }),
  );

/** Wrong in a way only the far side can notice: this event is of the year 2001. */
const ancient = sampleEvent({ eventId: 'old', dedupId: 'old', orderId: 'old', eventTimeSec: 1_000_000_000 });

describe.each(modules)('$slug and its sandbox', (module) => {
  const { slug, platform } = module;

  it('deliver, and count each event once with its money', async () => {
    expect((await deliver(module, orders(2))).map(({ kind }) => kind)).toEqual(['delivered', 'delivered']);
    expect(await counted(slug)).toMatchObject({
      total: 2,
      duplicates: 0,
      refused: 0,
      by_event_name: { [platform.eventNames.Purchase ?? '']: 2 },
      value_by_currency: { USD: '119.96' },
    });
    expect((await received(slug)).map(({ event_id, accepted }) => [event_id, accepted])).toEqual([
      ['o-0', true],
      ['o-1', true],
    ]);
  });

  it('count a purchase once, however often it is sent within the window', async () => {
    for (let i = 0; i < 3; i++) await deliver(module, orders(1));
    expect(await counted(slug)).toMatchObject({
      total: 1,
      duplicates: 2,
      value_by_currency: { USD: '59.98' },
    });
    const windowSec = module.sandbox.dedupeWindowSec;
    nowMs += (windowSec === 0 ? 86_400 : windowSec + 1) * 1_000;
    await deliver(module, orders(1));
    expect(await counted(slug)).toMatchObject(
      windowSec === 0 ? { total: 1, duplicates: 3 } : { total: 2, duplicates: 2 },
    );
  });

  it('refuse the wrong secret and the wrong account as a fault of the connection', async () => {
    const credentials = module.examples[0].credentials as Record<string, unknown>;
    const { secret } = module.sandbox.login(credentials);
    const secretField = Object.keys(credentials).find((field) => credentials[field] === secret) ?? '';
    const [outcome] = await deliver(module, orders(1), { [secretField]: 'another-secret-0123456789' });
    // Of a silent vendor nobody can know until the events are missed in its reports.
    expect(outcome?.kind).toBe(module.sandbox.silent === true ? 'delivered' : 'auth');
    expect(await counted(slug)).toMatchObject({ total: 0, refused: 1 });
  });

  it('refuse what is too old, together with its batch where the platform is like that', async () => {
    const kinds = (await deliver(module, [...orders(1), ancient])).map(({ kind }) => kind);
    if (!platform.limits.allOrNothing)
      return expect((await received(slug)).at(-1)?.reason).toMatch(/older than/);
    expect(kinds).toEqual(['batch_refused', 'batch_refused']);
    expect(await counted(slug)).toMatchObject({ total: 0, refused: 2 });
    expect((await deliver(module, [ancient])).map(({ kind }) => kind)).toEqual(['permanent']);
    expect((await deliver(module, orders(1))).map(({ kind }) => kind)).toEqual(['delivered']);
  });

  it.each(FAULT_KINDS)(
    'survive the fault %s with one outcome per event, and never call a loss delivered',
    async (kind) => {
      await fault(slug, kind, { retry_after: 7, duration_ms: 5_000, size_bytes: 5_000_000 });
      const outcomes = await deliver(module, orders(3), {}, 250);
      expect(outcomes).toHaveLength(3);
      const { total } = await counted(slug);
      const delivered = outcomes.filter((outcome) => outcome.kind === 'delivered').length;
      expect(delivered).toBeLessThanOrEqual(total);
      if (KEPT_FROM_PLATFORM.has(kind)) expect(total).toBe(0);
      if (total > delivered)
        for (const outcome of outcomes)
          if (outcome.kind !== 'delivered' && outcome.kind !== 'permanent')
            expect(outcome.maybeDelivered).toBe(true);
      if (kind === '429') expect(outcomes[0]).toMatchObject({ kind: 'rate_limited', retryAfterSec: 7 });
      if (kind === '401') expect(outcomes[0]).toMatchObject({ kind: 'auth' });
      expect((await deliver(module, orders(3))).map((outcome) => outcome.kind)).toEqual([
        'delivered',
        'delivered',
        'delivered',
      ]);
      expect((await counted(slug)).total).toBe(3);
    },
  );
});

describe('partial success', () => {
  const speaking = modules.filter((module) => module.sandbox.partial !== undefined);
  beforeAll(() => expect(speaking).not.toHaveLength(0));

  it.each(speaking)('at $slug fails exactly the events it names', async (module) => {
    await fault(module.slug, 'partial');
    const outcomes = await deliver(module, orders(3));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['delivered', 'delivered', 'permanent']);
    expect(await counted(module.slug)).toMatchObject({ total: 2, refused: 1 });
  });
});
