// The embedded host over HTTP, as pages and people meet it: one origin for both parts, the assistant on the deployed settings and the
// real tables, and a platform that is disconnected.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDocumentClient } from '../../lib/adapters/dynamodb/core/client.ts';
import { createBatchStore } from '../../lib/adapters/dynamodb/events/batches/store.ts';
import { createEventStore } from '../../lib/adapters/dynamodb/events/rows/event-store.ts';
import { createClient } from '../../lib/client/client.ts';
import { createJoinedEventStore } from '../../lib/events/pipeline/outcomes-of-batches.ts';
import { type ChatEvent, chatEventsOf } from '../support/ai-chat.ts';
import { type Script, startScriptedModel } from '../support/scripted-model.ts';
import { api, connectedPlatforms, fault, purchase, send, useHost } from './hosts.ts';

let script: Script = () => ({ text: '' });
let model: Awaited<ReturnType<typeof startScriptedModel>>;
beforeAll(async () => {
  model = await startScriptedModel((asked, turn) => script(asked, turn));
});
afterAll(() => model.close());
const { host, session, errors } = useHost((dataDir) => {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(join(dataDir, 'ai-api-key'), 'sk-from-the-file\n', { mode: 0o600 });
  return {
    assistant: { AI_PROVIDER: 'openai-compatible', AI_MODEL: 'scripted', AI_BASE_URL: model.baseUrl },
    sweepIntervalMs: 500,
  };
});

describe('one origin', () => {
  /** Without what differs from one answer to the next. */
  async function answer(base: string, path: string, init: RequestInit) {
    const response = await fetch(base + path, init);
    const headers = Object.fromEntries(response.headers);
    const own = ['date', 'x-request-id', 'server-timing', 'connection', 'keep-alive'];
    for (const name of [...own, 'x-ratelimit-remaining', 'x-ratelimit-reset']) delete headers[name];
    return { status: response.status, headers, text: await response.text() };
  }

  it('serves a client both parts', async () => {
    const { origin_url, api_key, session_jwt } = session();
    const urls = { ingestionUrl: origin_url, apiUrl: origin_url };
    const event = { ...purchase('one-origin-1'), event_name: 'Purchase' as const };
    const taken = await createClient({ ...urls, token: () => api_key }).postEvents({ body: event });
    expect(taken.status).toBe(202);
    const client = createClient({ ...urls, token: () => session_jwt });
    const { body } = await client.readEvent({ params: { id: 'one-origin-1' } });
    expect(body.event.event_id).toBe('one-origin-1');
    expect((await client.getPixel()).body).toContain('browser/events');
  });

  it.each([
    ['401', 'api_url', 'GET', '/v1/events', undefined],
    ['401 of ingestion', 'ingestion_url', 'POST', '/v1/events', undefined],
    ['403', 'api_url', 'GET', '/v1/account', 'api_key'],
    ['404 of a record', 'api_url', 'GET', '/v1/events/none', 'session_jwt'],
    ['404 of a path', 'api_url', 'GET', '/v1/nothing', undefined],
    ['405', 'api_url', 'DELETE', '/v1/events', undefined],
    ['405 of ingestion', 'ingestion_url', 'GET', '/v1/ingest', undefined],
    ['a file', 'ingestion_url', 'GET', '/v1/pixel.js', undefined],
    ['400', 'api_url', 'GET', '/v1/events?limit=0', 'session_jwt'],
  ] as const)('answers %s as the part does', async (_name, part, method, path, token) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${session()[token]}` };
    const init = { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) };
    const there = await answer(session()[part], path, init);
    expect(await answer(session().origin_url, path, init)).toEqual(there);
    expect(there.text).not.toBe('');
  });
});

describe('the assistant of a host', () => {
  const messages = [{ role: 'user', content: 'Call my shop Renamed.' }];
  const chat = (body: object, signal?: AbortSignal) =>
    fetch(`${session().api_url}/v1/ai/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${session().session_jwt}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messages, ...body }),
      ...(signal === undefined ? {} : { signal }),
    });
  async function ask(body: object): Promise<readonly ChatEvent[]> {
    const answer = await chat(body);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    return chatEventsOf(await answer.text());
  }

  it('changes what is confirmed, once, and the trail says so', async () => {
    script = ({ messages: said }) =>
      said.some(({ role }) => role === 'tool')
        ? { text: 'As you wish.' }
        : { calls: [{ name: 'updateAccount', input: { body: { name: 'Renamed' } } }] };
    const confirm: string = (await ask({})).find(({ event }) => event === 'confirmation')?.data.id;
    const nameNow = async () =>
      (await api<{ account: { name: string } }>(session(), '/v1/account')).account.name;
    expect(await nameNow()).not.toBe('Renamed');
    const done = await ask({ confirm });
    expect(done.map(({ event }) => event).join()).toBe('tool_call,tool_result,text,text,text,usage,done');
    expect(await nameNow()).toBe('Renamed');
    const again = await chat({ confirm });
    expect([again.status, await again.json()]).toEqual([
      404,
      expect.objectContaining({ code: 'confirmation_not_found' }),
    ]);
    const trail = await api<{ entries: unknown[] }>(session(), '/v1/audit-log?action=account.update');
    expect(trail.entries).toHaveLength(1);
    expect(model.authorizations[0]).toBe('Bearer sk-from-the-file');
  });

  it('stops asking the provider when the client leaves', async () => {
    const turn = model.asked.length;
    script = () => ({ hangs: true });
    const leaving = new AbortController();
    const reader = (await chat({}, leaving.signal)).body?.getReader();
    // The first word came through: the provider is still talking.
    expect(chatEventsOf(Buffer.from((await reader?.read())?.value ?? []).toString())).toEqual([
      { event: 'text', data: { text: 'Well' } },
    ]);
    leaving.abort();
    await model.closed(turn);
    expect(errors).toEqual([]);
  });
});

it('ends what waits for a platform that is disconnected, and says so at once', async () => {
  // An hour's pause: nothing is due for reasons of its own.
  await fault(session(), { platform: 'meta', kind: '429', retry_after: 3_600, count: 1_000 });
  expect((await send(session(), '/v1/events', purchase('waits'))).status).toBe(202);
  const variables = host().topology.functions.map(({ environment }) => environment);
  const { EVENTS_TABLE = '', BATCHES_TABLE = '' } =
    variables.find((one) => one.BATCHES_TABLE !== undefined) ?? {};
  const db = createDocumentClient();
  // The event may have been normalized together with another one, and their outcomes lie in the batch then.
  const events = createJoinedEventStore(
    createEventStore(db, EVENTS_TABLE),
    createBatchStore(db, BATCHES_TABLE),
  );
  const stored = async () => {
    const key = { merchantId: session().merchant_id, channel: 'server', eventId: 'waits' } as const;
    const row = await events.read(key);
    return row?.state === 'normalized' ? row.deliveries.meta : undefined;
  };
  await expect.poll(stored).toMatchObject({ state: 'RETRY' });
  // None, if the platform answered 429 to another event before the turn of this one.
  const attempts = (await stored())?.attempts;

  const meta = (await connectedPlatforms(session())).find(({ platform }) => platform === 'meta');
  await api(session(), `/v1/platforms/${meta?.id}`, 'DELETE');
  const { verdicts } = await api<{ verdicts: Record<string, string>[] }>(
    session(),
    '/v1/events/waits/explain',
  );
  expect(verdicts.find(({ platform }) => platform === 'meta')).toMatchObject({
    verdict: 'skipped',
    subject: 'not_connected',
    delivery: 'SKIPPED',
  });
  await expect.poll(stored).toMatchObject({ state: 'SKIPPED', reason: 'not_connected', attempts });
});
