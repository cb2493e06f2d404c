// One receiver that does not answer beside one that does, a thousand events each, under virtual time.
import { describe, expect, it } from 'vitest';
import { answers, openWebhookWorld, silence, T0 } from '#test/support/webhook-world.ts';

const DEAD = 'https://dead.example/';
const ALIVE = 'https://alive.example/';
const EVENTS = 1_000;
/** The longest that the slots can be blocked: one round of attempts that time out. */
const ROUND_MS = 15_000;

/** In the queue all events of the dead receiver come before those of the other: the worst order. */
async function opened(deadReply: () => ReturnType<typeof answers> = () => silence) {
  const world = openWebhookWorld({ slots: 5 });
  const { webhook: dead } = await world.addWebhook(DEAD);
  const { webhook: alive } = await world.addWebhook(ALIVE);
  world.receivers.set(DEAD, deadReply);
  world.receivers.set(ALIVE, () => answers(200));
  for (let n = 0; n < EVENTS; n++) await world.happen([dead]);
  for (let n = 0; n < EVENTS; n++) await world.happen([alive]);
  const to = (url: string) => world.sent.filter(({ request }) => request.url === url);
  const rows = (webhookId: string) =>
    world.stores.deliveries.all().flatMap(({ record }) => (record.webhookId === webhookId ? record : []));
  return { world, dead, alive, to, rows };
}

describe('a receiver that never answers', () => {
  it('delays nobody else by more than one round of attempts, and is not tried for each event', async () => {
    const { world, dead, alive, to, rows } = await opened();
    await world.run(() => rows(alive.id).every(({ status }) => status === 'delivered'));
    const lastMs = Math.max(...to(ALIVE).map(({ atMs }) => atMs)) - T0;
    expect(to(ALIVE)).toHaveLength(EVENTS);
    // 1,000 events, ten to an invocation, four at once for 50 ms, in five slots: 3 s, and the round.
    expect(lastMs).toBeLessThan(ROUND_MS + 5_000);
    // Four at once in each of five slots failed to connect; then the receiver rests.
    expect(to(DEAD)).toHaveLength(20);
    expect(rows(dead.id).filter(({ status }) => status === 'pending')).toHaveLength(EVENTS);
    expect(rows(dead.id).filter(({ attempts }) => attempts === 0).length).toBe(EVENTS - 20);
    expect(world.problems).toEqual([]);
  });

  it('gets one attempt after each rest, while others are served at once', async () => {
    const { world, alive, to } = await opened();
    let told = 0;
    // From then on an event for the other one every ten seconds.
    const talk = (): void => {
      told += 1;
      void world.happen([alive]);
      world.timeline.after(10_000, talk);
    };
    world.timeline.at(T0 + 60_000, talk);
    await world.run(() => world.clock.now() > T0 + 3_600_000);
    const born = new Map(
      world.stores.deliveries
        .all()
        .map(({ record }) => [`msg_${record.eventId.replaceAll('-', '')}`, record]),
    );
    const late = to(ALIVE)
      .filter(({ atMs }) => atMs >= T0 + 60_000)
      .map(({ atMs, request }) => atMs - (born.get(request.headers['webhook-id'] ?? '')?.createdAtMs ?? 0));
    expect(late.length).toBeGreaterThanOrEqual(told - 1);
    expect(Math.max(...late)).toBeLessThan(1_000);
    // Rests of half a minute to five: at most two attempts in each minute of that hour, beside the first round.
    expect(to(DEAD).length).toBeLessThan(20 + 120);
  });

  it('loses no event: each ends as failed once its table is used up, after a last attempt of its own', async () => {
    const { world, dead, to, rows } = await opened();
    await world.run();
    const ended = rows(dead.id);
    expect(ended.filter(({ status }) => status === 'failed')).toHaveLength(EVENTS);
    expect(ended.every(({ attempts, step = 0 }) => attempts >= 1 && step === 10)).toBe(true);
    // In place of ten thousand.
    expect(to(DEAD).length).toBeLessThan(2_000);
    const writes = world.stores.deliveries.all().map(({ version }) => version);
    expect(Math.max(...writes)).toBeLessThan(40);
    const byId = Map.groupBy(to(ALIVE), ({ request }) => request.headers['webhook-id']);
    expect([...byId.values()].every((some) => some.length === 1)).toBe(true);
    expect(byId.size).toBe(EVENTS);
    expect(world.problems).toEqual([]);
  });
});

describe('a receiver that comes back', () => {
  it('gets everything, each event once', async () => {
    const backAtMs = T0 + 600_000;
    let now = () => T0;
    const { world, dead, to, rows } = await opened(() => (now() < backAtMs ? silence : answers(200)));
    now = () => world.clock.now();
    await world.run();
    expect(rows(dead.id).every(({ status }) => status === 'delivered')).toBe(true);
    const taken = to(DEAD).filter(({ atMs }) => atMs >= backAtMs);
    expect(taken).toHaveLength(EVENTS);
    // The longest possible wait is the next place of its retry table.
    expect(Math.max(...taken.map(({ atMs }) => atMs)) - backAtMs).toBeLessThan(36 * 60_000);
    expect(await world.health(dead)).toMatchObject({ failingSinceMs: null, restUntilMs: null });
  });
});

describe('a receiver that refuses some events', () => {
  it('never rests: what it takes arrives at once', async () => {
    const world = openWebhookWorld();
    const { webhook } = await world.addWebhook(ALIVE);
    let count = 0;
    world.receivers.set(ALIVE, () => answers(++count % 10 === 0 ? 200 : 422));
    for (let n = 0; n < 100; n++) await world.happen();
    await world.run(() => world.sent.length === 100);
    expect(world.clock.now()).toBeLessThan(T0 + 1_000);
    expect(await world.health(webhook)).toMatchObject({ restUntilMs: null });
  });
});
