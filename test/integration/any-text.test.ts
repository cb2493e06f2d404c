// Ids and texts as strangers choose them: 2,000 of each, from servers and browsers, alone and in batches, into a queue that
// refuses what SQS refuses. Whatever was accepted with 202 is delivered or has a verdict, can be asked for by its id, and
// disturbed nobody.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { ANY_CHARACTER } from '#test/support/any-character.ts';
import { createFunctionUrlHandler } from '../../lib/adapters/fastify/function-url.ts';
import type { EventKey } from '../../lib/events/domain/event/row.ts';
import { pointersSchema } from '../../lib/events/domain/pointer.ts';
import { createBucketMarker } from '../../lib/events/pipeline/counting/due-buckets.ts';
import { openApi } from '../contract/api-host.ts';
import { SYNTHETIC_PLATFORMS } from '../simulation/synthetic-platforms.ts';
import { BROWSER, MERCHANT, purchase, request, send, testIngestion } from '../support/ingestion.ts';
import { throughSqs } from '../support/memory/sqs-characters.ts';
import { openSyntheticShop } from '../support/synthetic-shop.ts';

const SEED = 20_261_121;
const COUNT = 2_000;
const BATCH = 50;

const words = (text: string): readonly string[] => text.split(' ');
const codeUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { minLength: 1, maxLength: 12 })
  .map((units) => String.fromCharCode(...units));
/** In each line characters of one kind; blanks, and what is taken for a blank, by their codes. */
const special = fc.constantFrom(
  ...words('. .. % %2e %00 a/b / ? # a#s#b ~ + & = ; <!-- ../x a~rp~b null __proto__ constructor'),
  ...words('" \' \\ \\ud83d é e\u0301 😀 👩‍👩‍👧 \ufffe a\uffff \udbff\udfff \ufdd0'),
  ...[' a', 'a ', '\u0085', 'a\u0085', '\u2028a', '\ufeffa', '\u00a0a', 'a\u3000', '\ud800', 'a\udfff'],
  ...['\u0000', 'a\u001fb', '\u007f', '\u009f', 'x'.repeat(200), '😀'.repeat(100), '\uffff'.repeat(200)],
);
const id = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: ANY_CHARACTER, minLength: 1, maxLength: 12 }) },
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }) },
  { weight: 2, arbitrary: codeUnits },
  { weight: 2, arbitrary: special },
);
const text = fc.oneof(
  fc.string({ unit: ANY_CHARACTER, maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  special,
);

interface Sent {
  readonly id: string;
  readonly channel: 'server' | 'browser';
  readonly body: Record<string, unknown>;
}

const drawn: readonly Sent[] = fc
  .sample(fc.record({ id, text, browser: fc.boolean() }), { seed: SEED, numRuns: COUNT })
  .map(
    (draw, i): Sent => ({
      id: draw.id,
      channel: draw.browser ? 'browser' : 'server',
      body: purchase({
        event_id: draw.id,
        event_name: i % 3 === 0 ? 'Purchase' : draw.text,
        // Of a known one in three: the platform's answer names it.
        order_id: i % 2 === 0 ? `order-${i}` : draw.text,
        user_data: { email: draw.text, first_name: draw.text, external_ids: [draw.text] },
        custom_data: { [`k${draw.text}`]: draw.text },
        ...(draw.browser ? { merchant_id: MERCHANT } : {}),
      }),
    }),
  );

function setUp() {
  const sqs = throughSqs();
  const pipeline = openSyntheticShop({ sendThrough: sqs.sendThrough });
  const { app } = testIngestion({
    events: pipeline.events,
    clock: pipeline.clock,
    slots: createBucketMarker(pipeline.counters, pipeline.clock),
    queue: sqs.sendThrough(pipeline.queues.accepted, pointersSchema),
  });
  return { sqs, pipeline, app };
}

type Setting = ReturnType<typeof setUp>;

async function post({ app }: Setting, path: string, body: unknown, from: number) {
  const message = request(path, body, path.includes('browser') ? { 'user-agent': BROWSER } : {});
  const { authorization, ...open } = message.headers as Record<string, string>;
  const headers = path.includes('browser') ? open : { ...open, authorization: authorization ?? '' };
  return await send(app, { ...message, headers, clientIp: `203.0.${from >> 8}.${from & 255}` });
}

const keyOf = ({ id: eventId, channel }: Sent): EventKey => ({ merchantId: MERCHANT, channel, eventId });

/**
 * A browser event with the id of a server event is answered 202 as its copy: the server's row stands for it. It may be
 * stored, for what only the page knows.
 */
function accept(sent: Sent, accepted: EventKey[]): void {
  if (sent.channel === 'server' || !hasServer(sent.id, accepted)) accepted.push(keyOf(sent));
}

const hasServer = (id: string, accepted: readonly EventKey[]): boolean =>
  accepted.some((key) => key.channel === 'server' && key.eventId === id);

/** Keys accepted; every other answer is a 4xx that says why. */
async function sendAlone(setting: Setting): Promise<EventKey[]> {
  const accepted: EventKey[] = [];
  for (const [i, sent] of drawn.entries()) {
    const path = sent.channel === 'browser' ? '/v1/browser/events' : '/v1/events';
    const reply = await post(setting, path, sent.body, i >> 4);
    expect([400, 202, 409], JSON.stringify([sent, reply.json])).toContain(reply.status);
    if (reply.status === 202) accept(sent, accepted);
    else expect(reply.json).toHaveProperty('error');
  }
  return accepted;
}

async function sendInBatches(setting: Setting): Promise<EventKey[]> {
  const accepted: EventKey[] = [];
  for (const channel of ['server', 'browser'] as const) {
    const size = channel === 'server' ? BATCH : 30;
    const mine = drawn.filter((sent) => sent.channel === channel);
    for (let at = 0; at < mine.length; at += size) {
      const part = mine.slice(at, at + size);
      const path = channel === 'server' ? '/v1/ingest' : '/v1/browser/events';
      const events = part.map(({ body }) => body);
      const body = channel === 'server' ? { events } : { merchant_id: MERCHANT, events };
      const reply = await post(setting, path, body, at / size);
      const answers = reply.json.results as { status: number }[];
      expect(answers, JSON.stringify(reply.json).slice(0, 300)).toHaveLength(part.length);
      part.forEach((sent, i) => {
        const status = answers[i]?.status ?? 0;
        expect([202, 400, 409]).toContain(status);
        if (status === 202) accept(sent, accepted);
      });
    }
  }
  return accepted;
}

describe.each([
  ['alone', sendAlone],
  ['in batches', sendInBatches],
])(`${COUNT} events of any id and text (seed ${SEED}), sent %s`, (_how, sendAll) => {
  const setting = setUp();
  const { pipeline, sqs } = setting;
  let accepted: readonly EventKey[] = [];

  beforeAll(async () => {
    accepted = await sendAll(setting);
    await pipeline.drain();
    await pipeline.pass(3);
  });

  it('accepts most of them', () => {
    expect(accepted.length).toBeGreaterThan(COUNT / 3);
    for (const odd of ['😀', '\ufffe', 'a\uffff', '%', 'a/b', '__proto__', '\udbff\udfff'])
      expect(accepted.map(({ eventId }) => eventId)).toContain(odd);
  });

  it('refuses ids that could not be asked for', () => {
    for (const { eventId } of accepted) {
      expect(eventId.isWellFormed()).toBe(true);
      expect(eventId).not.toMatch(/^\s|\s$|[\p{Cc}]|^\.\.?$/u);
    }
  });

  it('gives every 202 its verdict at every platform, and delivers what is to be delivered', () => {
    const rows = new Map(pipeline.events.rows().map((row) => [JSON.stringify(row.key), row]));
    const promised = new Set(accepted.map((key) => JSON.stringify(key)));
    for (const [id, { key }] of rows)
      expect(promised.has(id) || (key.channel === 'browser' && hasServer(key.eventId, accepted)), id).toBe(
        true,
      );
    for (const key of accepted) {
      const row = rows.get(JSON.stringify(key));
      expect(row?.state, JSON.stringify(key)).toBe('normalized');
      if (row?.state !== 'normalized') continue;
      for (const { slug } of SYNTHETIC_PLATFORMS) {
        const verdict = row.verdicts[slug];
        expect(verdict, JSON.stringify(key)).toBeDefined();
        if (verdict === 'pending')
          expect([JSON.stringify(key), row.deliveries[slug]?.state]).toEqual([
            JSON.stringify(key),
            'DELIVERED',
          ]);
      }
    }
  });

  it('disturbs nothing: no message refused, lost or dead, nothing counted twice', () => {
    expect(sqs.refused).toEqual([]);
    expect(sqs.unreadable).toEqual([]);
    expect(pipeline.problems).toEqual([]);
    const { queues } = pipeline;
    for (const queue of [queues.accepted, queues.normalized, ...queues.deliveries.values()]) {
      expect(queue.deadLetters()).toEqual([]);
      expect(queue.size()).toBe(0);
    }
    const day = pipeline.counters.rows().find(({ key }) => key.grain === 'day');
    const { events = 0, bots = 0, merged = 0 } = day?.counters ?? {};
    expect(events + bots + merged).toBe(pipeline.events.rows().length);
  });

  it('gives each back by its id, through both fronts', async () => {
    // The host's merchant is another one: what it asks for is looked up as ours.
    const host = await openApi(() => ({
      events: {
        ...pipeline.events,
        read: (key) => pipeline.events.read({ ...key, merchantId: MERCHANT }),
      },
    }));
    const token = host.session();
    const functionUrl = await createFunctionUrlHandler(host.app);
    for (const { eventId, channel } of accepted) {
      const path = `/v1/events/${encodeURIComponent(eventId)}`;
      const direct = await host.app.inject({
        method: 'GET',
        url: `${path}?trust=${channel}`,
        headers: { authorization: `Bearer ${token}` },
      });
      expect([direct.statusCode, direct.json().event?.event_id]).toEqual([200, eventId]);
      const behind = (await functionUrl({
        version: '2.0',
        rawPath: path,
        rawQueryString: `trust=${channel}`,
        headers: { authorization: `Bearer ${token}` },
        requestContext: { http: { method: 'GET', path, sourceIp: '203.0.113.1' }, requestId: 'r' },
        isBase64Encoded: false,
      })) as { statusCode: number; body: string };
      expect([behind.statusCode, JSON.parse(behind.body).event?.event_id]).toEqual([200, eventId]);
    }
  });
});
