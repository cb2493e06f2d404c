// Goal: each event is one line in one object, whatever becomes of requests: answers that are lost after S3 has stored the object,
// outages long enough to open the circuit, messages that come twice or not at all. Method: the whole pipeline against a bucket that
// keeps the rules of S3 and fails by a seed; then the lines are counted.
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { HttpRequest, HttpResult } from '../../lib/events/platforms/platform.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import { examples } from '../platforms/s3/examples.ts';
import { createSeededRandom } from '../support/memory/random.ts';
import { createMemoryPipeline } from '../support/memory-pipeline.ts';

const SECONDS = 40;
const PER_SECOND = 15;
const STORED: HttpResult = { kind: 'response', status: 200, headers: { etag: '"1"' }, body: '' };
const NO_ANSWER: HttpResult = {
  kind: 'failure',
  code: 'timeout',
  maybeDelivered: true,
  message: 'no answer',
};
const error = (status: number, code: string): HttpResult => ({
  kind: 'response',
  status,
  headers: {},
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`,
});

interface Line {
  readonly event_id: string;
  readonly received_at: string;
}

/** `lost`: the share of answers that never come, half of them after the object was stored. */
function openBucket(random: () => number) {
  const objects = new Map<string, readonly Line[]>();
  const conditions = { isDown: false, lost: 0 };
  let writtenTwice = 0;
  const put = ({ url, headers, packed = new Uint8Array() }: HttpRequest): HttpResult => {
    const isLost = random() < conditions.lost;
    if (isLost && random() < 0.5) return NO_ANSWER;
    const name = new URL(url).pathname;
    if (objects.has(name) && headers['if-none-match'] === '*') {
      writtenTwice += 1;
      return isLost ? NO_ANSWER : error(412, 'PreconditionFailed');
    }
    const lines = gunzipSync(packed).toString().trimEnd().split('\n');
    objects.set(
      name,
      lines.map((line) => JSON.parse(line) as Line),
    );
    return isLost ? NO_ANSWER : STORED;
  };
  const answer = (request: HttpRequest): HttpResult =>
    conditions.isDown
      ? random() < 0.3
        ? put(request) && NO_ANSWER
        : error(503, 'ServiceUnavailable')
      : put(request);
  return { objects, conditions, answer, writtenTwice: () => writtenTwice };
}

function openShop(seed: string, express: boolean) {
  const seeded = createSeededRandom(seed);
  const bucket = openBucket(seeded.next);
  const pipeline = createMemoryPipeline({
    platforms: PLATFORMS.filter(({ slug }) => slug === 's3'),
    credentials: { s3: examples[0]?.credentials },
    express,
    answer: bucket.answer,
  });
  const { clock, queues, stages } = pipeline;
  let sent = 0;
  return {
    ...pipeline,
    bucket,
    sent: () => sent,
    take: async (count: number) => {
      for (let i = 0; i < count; i++) {
        await pipeline.accept({
          event_id: `e${sent++}`,
          event_name: 'PageView',
          event_time: Math.floor(clock.now() / 1_000),
          user_data: { email: 'jane@example.com' },
        });
        // Alone now and then; what is normalized together is a batch.
        if (seeded.next() < 0.1) await pipeline.drain();
      }
    },
    /** Messages that come twice, side by side, or are lost. */
    shake: async () => {
      const queue = queues.deliveries.get('s3');
      const leases = queue?.receive(100) ?? [];
      await Promise.all([stages.deliver(leases), stages.deliver(leases)]);
      if (seeded.next() < 0.5) queue?.purge();
    },
    settle: async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute++) {
        clock.advance(60_000);
        await pipeline.sweep();
        await pipeline.drain();
      }
    },
  };
}

function expectEachOnce({ bucket, sent, events, problems }: ReturnType<typeof openShop>): void {
  expect(problems).toEqual([]);
  const open = events.rows().filter((row) => 'deliveries' in row && row.deliveries.s3?.state !== 'DELIVERED');
  expect(open).toEqual([]);
  const lines = [...bucket.objects.values()].flat();
  expect(lines).toHaveLength(sent());
  expect(new Set(lines.map(({ event_id }) => event_id)).size).toBe(sent());
  for (const [name, [line]] of bucket.objects) {
    const [day, time = ''] = line?.received_at.split('T') ?? [];
    expect(name).toContain(`/events/dt=${day}/hour=${time.slice(0, 2)}/`);
  }
}

describe.each([
  ['at once', true],
  ['through queues', false],
])('each event is one line of one object, sent %s', (_how, express) => {
  it.each(['one', 'two', 'three', 'four'])(
    'where answers are lost and S3 is down for a while (%s)',
    async (seed) => {
      const shop = openShop(seed, express);
      const { bucket, clock } = shop;
      for (let second = 0; second < SECONDS; second++) {
        bucket.conditions.isDown = second % 20 > 10;
        bucket.conditions.lost = 0.3;
        await shop.take(PER_SECOND);
        if (second % 4 === 0) await shop.shake();
        await shop.drain();
        clock.advance(second % 10 === 9 ? 70_000 : 1_000);
        if (second % 10 === 9) await shop.sweep();
      }
      await shop.settle(10);
      Object.assign(bucket.conditions, { isDown: false, lost: 0 });
      await shop.settle(300);
      expectEachOnce(shop);
      // Otherwise nothing was tried.
      expect(bucket.writtenTwice()).toBeGreaterThan(5);
      expect(Math.max(...[...bucket.objects.values()].map((lines) => lines.length))).toBeGreaterThan(10);
    },
  );
});
