// Goal: what came with a test key is seen to be a test wherever events are shown, and can be listed alone or left out.
import { beforeEach, expect, it } from 'vitest';
import samples from '#lib/events/platforms/sample-credentials.json' with { type: 'json' };
import { explainEvent, listEvents, readEvent } from '#lib/events/routes/events.ts';
import { previewPlatform } from '#lib/events/routes/platforms/platform-checks.ts';
import { type ApiHost, bodyOf, openApi } from '#test/contract/api-host.ts';
import { acceptedRow, connectionOf, normalizedRow, store } from '#test/contract/stored-rows.ts';

const ORIGIN = { test: true, replay: true, bot: true } as const;
const MARKS = { test: true, replay: true } as const;
let host: ApiHost;
let token = '';

beforeEach(async () => {
  host = await openApi();
  token = host.session('admin');
  for (const platform of ['meta', 'pinterest']) await connectionOf(host, platform);
  await store(
    host.events,
    normalizedRow({ eventId: 'live' }),
    normalizedRow({
      eventId: 'order~test',
      event: MARKS,
      verdicts: { meta: 'test_mode', pinterest: 'test_mode:pending' },
    }),
    acceptedRow({ eventId: 'new~test', body: { internal: ORIGIN } }),
  );
});

const list = async (query: string) =>
  bodyOf(listEvents, await host.call(`/v1/events${query}`, { token })).events;

it('is marked in lists, is no bot, and can be listed alone or left out', async () => {
  const marked = (await list('')).map(({ event_id, test, bot }) => [event_id, test, bot]);
  expect(marked.sort()).toEqual([
    ['live', false, false],
    ['new~test', true, false],
    ['order~test', true, false],
  ]);
  const ids = async (query: string) => (await list(query)).map(({ event_id }) => event_id).sort();
  expect(await ids('?test=true')).toEqual(['new~test', 'order~test']);
  expect(await ids('?test=false')).toEqual(['live']);
  expect(await ids('?status=test_mode')).toEqual(['order~test']);
  expect((await host.call('/v1/events?test=maybe', { token })).status).toBe(400);
});

it('is found under the id that was sent, where no live event has it', async () => {
  const read = async (id: string) =>
    bodyOf(readEvent, await host.call(`/v1/events/${id}`, { token })).event.event_id;
  expect(await read('order')).toBe('order~test');
  expect(await read('live')).toBe('live');
});

it('says of each platform why it is withheld, or that it is to be sent as a test', async () => {
  const { verdicts } = bodyOf(explainEvent, await host.call('/v1/events/order~test/explain', { token }));
  const of = (slug: string) => verdicts.find(({ platform }) => platform === slug);
  expect(of('meta')).toMatchObject({
    verdict: 'test_mode',
    explanation: 'It came with a test key, and Meta would count it.',
  });
  expect(of('pinterest')).toMatchObject({ verdict: 'pending', delivery: 'QUEUED' });
});

it('shows the request it would have been, and that of a test where one is sent', async () => {
  const preview = async (platform: 'meta' | 'pinterest') => {
    const body = { platform, event_id: 'order', credentials: samples[platform] };
    const answer = await host.call('/v1/platforms/preview', { method: 'POST', token, body });
    return bodyOf(previewPlatform, answer);
  };
  expect(await preview('meta')).toMatchObject({ verdict: 'test_mode', request: { method: 'POST' } });
  const { request } = await preview('pinterest');
  expect(request?.url).toContain('test=true');
});
