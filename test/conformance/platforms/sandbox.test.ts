// Each platform against its stand-in over real HTTP, through the transport that production uses.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTransport } from '#lib/adapters/http/transport.ts';
import type { Outcome } from '#lib/events/domain/deliveries/delivery.ts';
import type { OutgoingEvent } from '#lib/events/domain/privacy/outgoing-event.ts';
import { type BuildContext, needsToken, type TokenResult } from '#lib/events/platforms/platform.ts';
import { FAULT_KINDS, type FaultKind, KEPT_FROM_PLATFORM } from '#services/local/sandbox/faults.ts';
import type { Arrival, Count } from '#services/local/sandbox/ledger.ts';
import { startSandbox } from '#services/local/sandbox/server.ts';
import { sampleEvent } from '#test/support/sample-event.ts';
import { loadPlatformModules, NOW_MS, type PlatformModule } from './platform-modules.ts';

const modules = await loadPlatformModules();

/** What each fault must mean for an event it strikes. `maybe`: the platform may have it nevertheless. */
const MEANING: Readonly<Record<FaultKind, { readonly kind: Outcome['kind']; readonly maybe?: boolean }>> = {
  '429': { kind: 'rate_limited' },
  '500': { kind: 'retry' },
  '401': { kind: 'auth' },
  hang: { kind: 'retry', maybe: true },
  timeout_before_accept: { kind: 'retry', maybe: true },
  timeout_after_accept: { kind: 'retry', maybe: true },
  reset: { kind: 'retry', maybe: true },
  reset_after_accept: { kind: 'retry', maybe: true },
  slow_body: { kind: 'retry', maybe: true },
  huge_body: { kind: 'retry', maybe: true },
  invalid_json: { kind: 'retry', maybe: true },
  html: { kind: 'retry' },
  redirect: { kind: 'retry' },
  empty: { kind: 'retry', maybe: true },
  // Where the vendor has no such answer the sandbox says something odd; where it has one, what that means is below and
  // in the vendor's folder.
  partial: { kind: 'retry', maybe: true },
  wrong_counts: { kind: 'retry', maybe: true },
};

/** The event was taken, and the body that is to say so does not. */
const ODD_SUCCESSES: ReadonlySet<FaultKind> = new Set([
  ...(['huge_body', 'invalid_json', 'empty', 'partial', 'wrong_counts'] as const),
]);

/** Whether the fault is one the vendor has an answer of its own for, that may mean something else. */
function isVendors(
  { sandbox: { partial, wrongCounts, silent, acknowledgesByStatus } }: PlatformModule,
  kind: FaultKind,
): boolean {
  if (acknowledgesByStatus === true && ODD_SUCCESSES.has(kind)) return true;
  if (kind === 'empty') return silent === true;
  return (
    (kind === 'partial' && partial !== undefined) || (kind === 'wrong_counts' && wrongCounts !== undefined)
  );
}
const validCredentials = Object.fromEntries(
  [...Map.groupBy(modules, ({ slug }) => slug)].map(([slug, some]) => [
    slug,
    some.map(({ examples }) => examples[0].credentials as Record<string, unknown>),
  ]),
);

let nowMs = NOW_MS;
const sandbox = await startSandbox({ now: () => nowMs, validCredentials });
const transport = createTransport({ sandboxUrl: sandbox.url });

afterAll(async () => {
  await transport.close();
  await sandbox.close();
});

afterEach(async () => {
  nowMs = NOW_MS;
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
  events: readonly OutgoingEvent[],
  credentials?: object,
  timeoutMs = 3_000,
): Promise<readonly Outcome[]> {
  const { platform, examples } = module;
  const parsed = platform.credentials.parse({ ...(examples[0].credentials as object), ...credentials });
  const token = await accessToken(module, parsed);
  if (token !== null && token.kind !== 'token')
    return events.map(() => ({ kind: token.kind, code: token.code }));
  nonces += 1;
  const context = { test: false, nowMs, nonce: `nonce${nonces}`, ...(token ?? {}) };
  const max = platform.limits.batchSizeMax;
  const outcomes: Outcome[] = [];
  for (let at = 0; at < events.length; at += max)
    outcomes.push(...(await send(module, events.slice(at, at + max), parsed, context, timeoutMs)));
  return outcomes;
}

let nonces = 0;

async function send(
  { platform }: PlatformModule,
  events: readonly OutgoingEvent[],
  credentials: unknown,
  context: BuildContext,
  timeoutMs: number,
): Promise<readonly Outcome[]> {
  const request = platform.buildRequest(events, credentials, context);
  return platform.readResponse(await transport.send(request, { timeoutMs }), events);
}

const tokens = new Map<
  string,
  { readonly result: TokenResult; readonly fromMs: number; readonly untilMs: number }
>();

/** Kept while it lasts, as a deliverer would: faults are to strike deliveries, not token requests. */
async function accessToken(
  { slug, platform }: PlatformModule,
  credentials: unknown,
): Promise<TokenResult | null> {
  if (platform.oauth === undefined || !needsToken(platform, credentials, [])) return null;
  const key = `${slug} ${JSON.stringify(credentials)}`;
  const known = tokens.get(key);
  if (known !== undefined && known.fromMs <= nowMs && nowMs < known.untilMs) return known.result;
  const answer = await transport.send(platform.oauth.buildTokenRequest(credentials), { timeoutMs: 3_000 });
  const result = platform.oauth.readTokenResponse(answer);
  if (result.kind === 'token')
    tokens.set(key, { result, fromMs: nowMs, untilMs: nowMs + result.expiresInSec * 1_000 });
  return result;
}

const orders = (count: number): readonly OutgoingEvent[] =>
  Array.from({ length: count }, (_, i) =>
    sampleEvent({ eventId: `o-${i}`, dedupId: `o-${i}`, orderId: `${i}` }),
  );

/** Wrong in a way only the far side can notice: this event is of the year 2001. */
const ancient = sampleEvent({ eventId: 'old', dedupId: 'old', orderId: 'old', eventTimeSec: 1_000_000_000 });

describe.each(modules)('$slug and its sandbox', (module) => {
  const { slug, platform } = module;
  const given = module.examples[0].credentials as Record<string, unknown>;
  const purchase = module.sandbox.nameOf?.(given, 'Purchase') ?? platform.eventNames.Purchase ?? '';

  it('deliver, and count each event once with its money', async () => {
    expect((await deliver(module, orders(2))).map(({ kind }) => kind)).toEqual(['delivered', 'delivered']);
    expect(await counted(slug)).toMatchObject({
      total: 2,
      duplicates: 0,
      refused: 0,
      by_event_name: { [purchase]: 2 },
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
    const { secret } = module.sandbox.login(given);
    // Of basic authentication it is what follows the name.
    const [, password] = Buffer.from(secret, 'base64').toString().split(':');
    const secretField =
      Object.keys(given).find((field) => given[field] === secret || given[field] === password) ?? '';
    const [outcome] = await deliver(module, orders(1), { [secretField]: 'another-secret-0123456789' });
    if (needsToken(platform, given, [])) {
      // The token endpoint refuses the grant, the API itself a token that was never issued.
      expect(outcome?.kind).toBe('auth');
      const context = { test: false, nowMs, nonce: 'n', accessToken: 'never-issued-0123456789' };
      const parsed = platform.credentials.parse(given);
      expect((await send(module, orders(1), parsed, context, 3_000)).map(({ kind }) => kind)).toEqual([
        'auth',
      ]);
      expect(await counted(slug)).toMatchObject({ total: 0, refused: 1 });
      return;
    }
    // Of a silent vendor nobody can know until the events are missed in its reports.
    expect(outcome?.kind).toBe(module.sandbox.silent === true ? 'delivered' : 'auth');
    expect(await counted(slug)).toMatchObject({ total: 0, refused: 1 });
  });

  it('refuse what is too old, together with its batch where the platform is like that', async () => {
    const kinds = (await deliver(module, [...orders(1), ancient])).map(({ kind }) => kind);
    if (platform.limits.ageMaxSec === 0) return expect(kinds).toEqual(['delivered', 'delivered']);
    if (!platform.limits.allOrNothing)
      return expect((await received(slug)).at(-1)?.reason).toMatch(/older than/);
    // Where the vendor names the culprit only the other one goes again.
    expect(kinds[0]).toBe('batch_refused');
    expect(['batch_refused', 'permanent']).toContain(kinds[1]);
    expect(await counted(slug)).toMatchObject({ total: 0, refused: 2 });
    expect((await deliver(module, [ancient])).map(({ kind }) => kind)).toEqual(['permanent']);
    expect((await deliver(module, orders(1))).map(({ kind }) => kind)).toEqual(['delivered']);
  });

  it.each(FAULT_KINDS)(
    'survive the fault %s with one outcome per event, and never call a loss delivered',
    async (kind) => {
      await fault(slug, kind, { retry_after: 7, duration_ms: 5_000, size_bytes: 5_000_000 });
      // One request, which the fault strikes.
      const few = orders(Math.min(3, platform.limits.batchSizeMax));
      const outcomes = await deliver(module, few, {}, 250);
      expect(outcomes).toHaveLength(few.length);
      const { total } = await counted(slug);
      const delivered = outcomes.filter((outcome) => outcome.kind === 'delivered').length;
      expect(delivered).toBeLessThanOrEqual(total);
      if (KEPT_FROM_PLATFORM.has(kind)) expect(total).toBe(0);
      if (total > delivered)
        for (const outcome of outcomes)
          if (outcome.kind !== 'delivered' && outcome.kind !== 'permanent')
            expect(outcome.maybeDelivered).toBe(true);
      if (!isVendors(module, kind))
        for (const outcome of outcomes) {
          // Who never refuses has no words of its own for a refusal.
          const isForeign = kind === '401' && module.sandbox.silent === true;
          expect(outcome.kind).toBe(isForeign ? 'retry' : MEANING[kind].kind);
          if (MEANING[kind].maybe === true) expect(outcome.maybeDelivered).toBe(true);
        }
      if (kind === '429') expect(outcomes[0]).toMatchObject({ kind: 'rate_limited', retryAfterSec: 7 });
      if (kind === '401')
        expect(outcomes[0]).toMatchObject({ kind: module.sandbox.silent === true ? 'retry' : 'auth' });
      expect((await deliver(module, few)).map((outcome) => outcome.kind)).toEqual(few.map(() => 'delivered'));
      expect((await counted(slug)).total).toBe(few.length);
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
