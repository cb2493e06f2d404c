// Goal: what a rule says is what a platform receives, byte for byte, from the next event on and at every retry, and what is
// counted is what came in. Method: real platforms in the whole pipeline; the rules change between events.
import { expect, it } from 'vitest';
import type { NormalizedRow } from '../../lib/events/domain/event/row.ts';
import type { Rule, RuleChange } from '../../lib/events/domain/rules/rule.ts';
import type { HttpRequest, HttpResult } from '../../lib/events/platforms/platform.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import samples from '../../lib/events/platforms/sample-credentials.json' with { type: 'json' };
import { createMemoryPipeline } from '../support/memory-pipeline.ts';
import { sampleRule } from '../support/sample-rule.ts';

const { meta, tiktok } = samples;
const TOOK: HttpResult = {
  kind: 'response',
  status: 200,
  headers: {},
  body: '{"events_received":1,"code":0}',
};
const DOWN: HttpResult = { kind: 'response', status: 503, headers: {}, body: '' };

const transform = (id: string, changes: readonly RuleChange[], draft: Partial<Rule> = {}) =>
  sampleRule({ id, action: { type: 'transform', changes: [...changes] }, ...draft });

function setUp(first: readonly unknown[] = []) {
  let rules = first;
  let isDown = false;
  const pipeline = createMemoryPipeline({
    platforms: PLATFORMS.filter(({ slug }) => slug === 'meta' || slug === 'tiktok'),
    credentials: { meta, tiktok },
    answer: () => (isDown ? DOWN : TOOK),
    rules: () => rules,
  });
  const send = async (id: string, more: Record<string, unknown> = {}) => {
    await pipeline.accept({
      event_id: id,
      event_name: 'Purchase',
      event_time: Math.floor(pipeline.clock.now() / 1_000),
      user_data: { email: 'jane@example.com', client_ip: '203.0.113.7', user_agent: 'Mozilla/5.0' },
      value: 100,
      currency: 'EUR',
      custom_data: { margin: 40 },
      ...more,
    });
    await pipeline.drain();
  };
  return {
    pipeline,
    send,
    set: (next: readonly unknown[]) => {
      rules = next;
    },
    down: (is: boolean) => {
      isDown = is;
    },
    row: (id: string): NormalizedRow => {
      const row = pipeline.events.rows().find(({ key }) => key.eventId === id);
      if (row?.state !== 'normalized') throw new Error(`${id} is not normalized`);
      return row;
    },
  };
}

const to = (requests: readonly HttpRequest[], host: string) =>
  requests.filter(({ url }) => url.includes(host)).map(({ body }) => JSON.parse(body));

/** What Meta was sent, in the order of the requests. */
const atMeta = (requests: readonly HttpRequest[]) =>
  to(requests, 'graph.facebook.com').flatMap(
    ({ data }) => data as { event_name: string; user_data: object; custom_data: object }[],
  );

it('changes the bytes that a platform receives, and those of no other', async () => {
  const changes: RuleChange[] = [
    { op: 'rename_event', name: 'Lead' },
    { op: 'override_value', value: 40, currency: 'USD' },
    { op: 'drop_field', field: 'user_data.email' },
    { op: 'set_field', field: 'custom_data.tier', value: 'gold' },
  ];
  const { pipeline, send, row } = setUp([transform('rul_m', changes, { platforms: ['meta'] })]);
  await send('e1');
  const [event] = atMeta(pipeline.requests);
  expect(event?.event_name).toBe('Lead');
  expect(event?.custom_data).toMatchObject({ value: 40, currency: 'USD' });
  expect(event?.user_data).not.toHaveProperty('em');
  expect(event?.user_data).toHaveProperty('client_ip_address');
  const [other] = to(pipeline.requests, 'tiktok');
  expect(JSON.stringify(other)).toContain('"value":100');
  expect(JSON.stringify(other)).not.toMatch(/Lead|gold|USD/);

  const stored = row('e1');
  expect(stored.event).toMatchObject({ name: 'Purchase', value: '100', currency: 'EUR' });
  expect(stored.event.rewrites).toEqual([{ rule: 'rul_m', changes, platforms: ['meta'] }]);
  expect(stored.event.known).toContain('email');
});

it('keeps nothing of rules that did not touch the event', async () => {
  const lead = { match: { event_name: ['Lead'] } };
  const { send, row } = setUp([transform('rul_1', [{ op: 'rename_event', name: 'Refund' }], lead)]);
  await send('e1');
  expect(row('e1').event).not.toHaveProperty('rewrites');
});

it('takes effect for the next event, and not for one that was decided before', async () => {
  const { pipeline, send, set, down } = setUp();
  down(true);
  await send('before');
  set([transform('rul_1', [{ op: 'rename_event', name: 'Lead' }])]);
  await send('after');
  set([]);
  // Neither the retries nor the rule that is gone by then make a difference.
  down(false);
  for (let i = 0; i < 8; i++) {
    pipeline.clock.advance(600_000);
    await pipeline.sweep();
    await pipeline.drain();
  }
  const sent = atMeta(pipeline.requests) as unknown as { event_id: string; event_name: string }[];
  const namesOf = (id: string) => new Set(sent.filter((e) => e.event_id === id).map((e) => e.event_name));
  expect(sent.filter(({ event_id }) => event_id === 'after').length).toBeGreaterThan(1);
  expect([namesOf('before'), namesOf('after')]).toEqual([new Set(['Purchase']), new Set(['Lead'])]);
});

it('does not send what a rule made unsendable, and remembers which one', async () => {
  const { pipeline, send, row } = setUp([transform('rul_v', [{ op: 'drop_field', field: 'value' }])]);
  await send('e1');
  expect(atMeta(pipeline.requests)).toEqual([]);
  expect(row('e1').verdicts.meta).toMatch(/^invalid:/);
  expect(row('e1').event.rewrites?.map(({ rule }) => rule)).toEqual(['rul_v']);
});

it('follows the other rules where one cannot be read, and says so', async () => {
  const poison = [
    null,
    { id: 'rul_x', action: { type: 'explode' } },
    'text',
    { ...sampleRule(), later: true },
  ];
  const { pipeline, send } = setUp([
    ...poison,
    transform('rul_1', [{ op: 'rename_event', name: 'Lead' }], { platforms: ['meta'] }),
  ]);
  await send('e1');
  await send('e2');
  expect(atMeta(pipeline.requests).map(({ event_name }) => event_name)).toEqual(['Lead', 'Lead']);
  expect(to(pipeline.requests, 'tiktok')).toHaveLength(2);
  expect(pipeline.problems.map(String).filter((text) => text.includes('rul_x'))).toHaveLength(2);
});

it('matches by what normalization made of the event: country, alias and digits', async () => {
  const match = { country: ['DE'], event_name: ['checkout_completed'], currency: 'EUR', value_min: 100 };
  const { pipeline, send } = setUp([sampleRule({ match })]);
  const from = (country: string) => ({
    user_data: { email: 'a@b.example', country, client_ip: '203.0.113.7', user_agent: 'M' },
  });
  await send('german', from('Germany'));
  await send('french', from('FR'));
  await send('cheap', { ...from('de'), value: 99.99 });
  const sent = atMeta(pipeline.requests) as unknown as { event_id: string }[];
  expect(sent.map(({ event_id }) => event_id)).toEqual(['french', 'cheap']);
});
