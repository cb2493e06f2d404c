// The whole retry table under virtual time, checked with the signatures' published verifier.
import { Webhook as Verifier } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import { RETRY_TABLE_MS } from '#lib/core/work/retry-policy.ts';
import { answers, openWebhookWorld, type Sent, T0 } from '#test/support/webhook-world.ts';

const URL_OF = 'https://receiver.example/hook';

/** Throws where the published library does, at the moment the attempt was made. */
function verify({ request, atMs }: Sent, secret: string): unknown {
  vi.spyOn(Date, 'now').mockReturnValue(atMs);
  vi.useFakeTimers({ now: atMs, toFake: ['Date'] });
  try {
    return new Verifier(secret).verify(request.body, { ...request.headers });
  } finally {
    vi.useRealTimers();
    vi.restoreAllMocks();
  }
}

const waits = (sent: readonly Sent[]): readonly number[] =>
  sent.map(({ atMs }, index) => atMs - (sent[index - 1]?.atMs ?? T0));

describe('a delivery that always fails', () => {
  it('is tried ten times, after the waits of the table, each signed anew under one id', async () => {
    const world = openWebhookWorld();
    const { secret } = await world.addWebhook(URL_OF);
    world.receivers.set(URL_OF, () => answers(404));
    const [delivery] = await world.happen();
    await world.run();
    expect(world.sent).toHaveLength(RETRY_TABLE_MS.length);
    waits(world.sent).forEach((waitMs, place) => {
      const tableMs = RETRY_TABLE_MS[place] ?? 0;
      // Longer waits end with a sweep, each minute; the receiver took 50 ms, and a queue counts whole seconds.
      const lateMs = tableMs > 900_000 ? 60_000 : 1_100;
      expect(waitMs, `wait ${place}`).toBeGreaterThanOrEqual(tableMs * 0.9);
      expect(waitMs, `wait ${place}`).toBeLessThanOrEqual(tableMs * 1.1 + lateMs);
    });
    const ids = new Set(world.sent.map(({ request }) => request.headers['webhook-id']));
    expect([...ids]).toEqual([`msg_${delivery?.eventId.replaceAll('-', '')}`]);
    for (const one of world.sent) {
      expect(one.request.headers['webhook-timestamp']).toBe(String(Math.floor(one.atMs / 1_000)));
      expect(verify(one, secret)).toMatchObject({ type: 'ticket.created', account_id: 'ws-1', version: 1 });
      expect(one.request.body).toBe(delivery?.payload);
    }
    expect(await world.row(delivery?.id ?? '')).toMatchObject({
      status: 'failed',
      attempts: 10,
      lastStatus: 404,
      lastError: 'http_404',
      nextAttemptAtMs: null,
    });
    expect(world.problems).toEqual([]);
  });

  it('jitters: two deliveries of one moment come back at different ones', async () => {
    const world = openWebhookWorld();
    await world.addWebhook(URL_OF);
    world.receivers.set(URL_OF, () => answers(404));
    await world.happen();
    await world.happen();
    await world.run(() => world.sent.length === 6);
    const [a, b] = world.sent.slice(4);
    expect(a?.atMs).not.toBe(b?.atMs);
  });

  it('is delivered by the attempt that succeeds, and then left alone', async () => {
    const world = openWebhookWorld();
    const { webhook } = await world.addWebhook(URL_OF);
    world.receivers.set(URL_OF, () => answers(world.sent.length < 4 ? 500 : 204));
    const [delivery] = await world.happen();
    await world.run();
    expect(world.sent).toHaveLength(4);
    expect(await world.row(delivery?.id ?? '')).toMatchObject({
      status: 'delivered',
      attempts: 4,
      lastStatus: 204,
      lastError: null,
    });
    expect(await world.health(webhook)).toMatchObject({
      failingSinceMs: null,
      lastSuccessAtMs: expect.any(Number),
    });
  });
});

describe('Retry-After', () => {
  const waitWith = async (value: string, status = 503): Promise<number> => {
    const world = openWebhookWorld();
    await world.addWebhook(URL_OF);
    world.receivers.set(URL_OF, () => answers(status, { headers: { 'retry-after': value } }));
    await world.happen();
    await world.run(() => world.sent.length === 2);
    return waits(world.sent)[1] ?? 0;
  };
  it.each([
    ['120', 120_000],
    ['3600', 3_600_000],
    ['86400', 86_400_000],
    // A day is the most.
    ['999999999', 86_400_000],
    [new Date(T0 + 600_000).toUTCString(), 600_000],
  ])('%s is waited for', async (value, waitMs) => {
    const found = await waitWith(value);
    expect(found).toBeGreaterThanOrEqual(waitMs - 1_000);
    expect(found).toBeLessThanOrEqual(waitMs + 61_000);
  });
  it.each(['', '-5', '1e3', 'soon', '0', '2', new Date(T0 - 5_000).toUTCString()])(
    '%j shortens nothing',
    async (value) => {
      const found = await waitWith(value);
      expect(found).toBeGreaterThanOrEqual(4_500);
      expect(found).toBeLessThanOrEqual(7_000);
    },
  );
});

describe('secrets', () => {
  it('sign side by side until the old one expires', async () => {
    const world = openWebhookWorld();
    const first = await world.addWebhook(URL_OF);
    const second = await world.addWebhook('https://other.example/');
    const untilMs = T0 + 86_400_000;
    const old = { ...first.webhook.secrets[0], expiresAtMs: untilMs };
    // Sealed for this webhook, as rotation does.
    const sealed = await world.vault.seal('ws-1', `webhook-secret/${first.webhook.id}`, second.secret);
    await world.setWebhooks(([webhook]) => [
      { ...(webhook as never as object), secrets: [{ sealed, hint: '', expiresAtMs: null }, old] } as never,
    ]);
    world.receivers.set(URL_OF, () => answers(404));
    await world.happen();
    await world.run();
    const during = world.sent.filter(({ atMs }) => atMs < untilMs);
    const after = world.sent.filter(({ atMs }) => atMs >= untilMs);
    expect(during.length).toBeGreaterThan(3);
    expect(after.length).toBeGreaterThan(1);
    for (const one of during) {
      expect(one.request.headers['webhook-signature']?.split(' ')).toHaveLength(2);
      verify(one, first.secret);
      verify(one, second.secret);
    }
    for (const one of after) {
      verify(one, second.secret);
      expect(() => verify(one, first.secret)).toThrow(/signature/i);
    }
  });

  it('of another webhook do not open here', async () => {
    const world = openWebhookWorld();
    const first = await world.addWebhook(URL_OF);
    await world.addWebhook('https://other.example/', { secrets: first.webhook.secrets });
    world.receivers.set(URL_OF, () => answers(200));
    await world.happen();
    await world.run(() => world.problems.length > 0 && world.sent.length > 0);
    expect(world.problems).toEqual([['deliveries of a webhook failed', expect.any(Error)]]);
    expect(new Set(world.sent.map(({ request }) => request.url))).toEqual(new Set([URL_OF]));
  });
});
