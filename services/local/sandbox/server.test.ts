import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { scratchFolder } from '#test/support/scratch-folder.ts';
import { type RunningSandbox, type SandboxOptions, startSandbox } from './server.ts';

const NOW_MS = 1_795_176_060_000;
const running: RunningSandbox[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((sandbox) => sandbox.close()));
});

async function start(options: SandboxOptions = {}): Promise<string> {
  const sandbox = await startSandbox({ now: () => NOW_MS, ...options });
  running.push(sandbox);
  return sandbox.url;
}

const purchase = (event_id: string, value: number, currency = 'USD') => ({
  event_name: 'Purchase',
  event_time: NOW_MS / 1_000 - 60,
  event_id,
  action_source: 'website',
  user_data: { em: ['a'.repeat(64)] },
  custom_data: { value, currency },
});

const PIXEL = 'graph.facebook.com/v26.0/123456/events?access_token=good-token-1';

async function post(url: string, body: unknown): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(url, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? {} : JSON.parse(text) };
}
const get = async (url: string) => (await (await fetch(url)).json()) as Record<string, unknown>;

describe('the sandbox', () => {
  it('answers as the vendor does and adds up money exactly', async () => {
    const url = await start();
    const answer = await post(`${url}/${PIXEL}`, {
      data: [purchase('a', 0.1), purchase('b', 0.2), purchase('c', 5, 'JPY')],
    });
    expect(answer).toMatchObject({ status: 200, body: { events_received: 3 } });
    expect(await get(`${url}/counted?platform=meta`)).toEqual({
      platform: 'meta',
      total: 3,
      duplicates: 0,
      refused: 0,
      test: 0,
      by_event_name: { Purchase: 3 },
      value_by_currency: { USD: '0.3', JPY: '5' },
    });
  });

  it('lists what arrived in order, refused events with their reason, test events uncounted', async () => {
    const url = await start();
    await post(`${url}/${PIXEL}`, {
      data: [purchase('a', 1), { ...purchase('b', 1), user_data: { em: ['jane@example.com'] } }],
    });
    await post(`${url}/${PIXEL}`, { data: [purchase('t', 1)], test_event_code: 'TEST1' });
    await post(`${url}/${PIXEL.replace('good-token-1', 'revoked-token')}`, { data: [purchase('x', 1)] });
    const { events } = (await get(`${url}/received?platform=meta`)) as { events: Record<string, unknown>[] };
    expect(
      events.map(({ seq, event_id, accepted, test, reason }) => [seq, event_id, accepted, test, reason]),
    ).toEqual([
      [1, 'a', false, false, 'refused with its batch'],
      [2, 'b', false, false, 'user_data.em must be hashed with SHA-256'],
      [3, 't', true, true, undefined],
      [4, 'x', false, false, 'Invalid OAuth access token - Cannot parse access token'],
    ]);
    expect(await get(`${url}/counted?platform=meta`)).toMatchObject({ total: 0, test: 1, refused: 3 });
  });

  it('keeps the list bounded and the counts whole', async () => {
    const url = await start({ arrivalsMax: 3 });
    for (let i = 0; i < 10; i++) await post(`${url}/${PIXEL}`, { data: [purchase(`e-${i}`, 1)] });
    const { total, events } = (await get(`${url}/received?platform=meta`)) as {
      total: number;
      events: { event_id: string }[];
    };
    expect(total).toBe(10);
    expect(events.map(({ event_id }) => event_id)).toEqual(['e-7', 'e-8', 'e-9']);
    expect(await get(`${url}/counted?platform=meta`)).toMatchObject({ total: 10 });
  });

  it('shows all platforms when none is named, and none it does not know', async () => {
    const url = await start();
    const all = (await get(`${url}/counted`)) as { platforms: { platform: string }[] };
    expect(all.platforms.map(({ platform }) => platform)).toContain('meta');
    expect((await fetch(`${url}/counted?platform=nowhere`)).status).toBe(400);
    expect((await fetch(`${url}/received?platform=nowhere`)).status).toBe(400);
    expect((await fetch(`${url}/nowhere.example/x`)).status).toBe(404);
  });

  it('forgets on request', async () => {
    const url = await start();
    await post(`${url}/${PIXEL}`, { data: [purchase('a', 1)] });
    expect((await fetch(`${url}/received`, { method: 'DELETE' })).status).toBe(200);
    expect(await get(`${url}/received?platform=meta`)).toMatchObject({ total: 0, events: [] });
    expect(await get(`${url}/counted?platform=meta`)).toMatchObject({ total: 0 });
  });

  it('refuses bodies of more than 16 MB', async () => {
    const url = await start();
    expect(await post(`${url}/${PIXEL}`, 'x'.repeat(17 * 1_048_576))).toMatchObject({ status: 413 });
  });
});

describe('accounts', () => {
  it('are those of the list, when there is one', async () => {
    const url = await start({
      validCredentials: { meta: [{ pixel_id: '123456', access_token: 'good-token-1' }] },
    });
    const data = [purchase('a', 1)];
    expect((await post(`${url}/${PIXEL}`, { data })).status).toBe(200);
    const wrong = await post(`${url}/${PIXEL.replace('good', 'bad')}`, { data });
    expect(wrong).toMatchObject({ status: 401, body: { error: { code: 190 } } });
    const missing = await post(`${url}/${PIXEL.replace('123456', '999999')}`, { data });
    expect(missing).toMatchObject({ status: 400, body: { error: { code: 100, error_subcode: 33 } } });
  });
});

describe('faults', () => {
  const add = (url: string, body: unknown) => post(`${url}/faults`, body);
  /** Of as many purchases, one after the other. */
  async function statuses(url: string, count: number): Promise<readonly number[]> {
    const answered: number[] = [];
    for (let i = 0; i < count; i++)
      answered.push((await post(`${url}/${PIXEL}`, { data: [purchase(`${i}`, 1)] })).status);
    return answered;
  }

  it.each([
    {},
    'nonsense',
    [],
    { platform: 'meta' },
    { platform: 'meta', kind: 'earthquake' },
    { platform: 'nowhere', kind: '500' },
    { platform: 'meta', kind: '500', count: 0 },
    { platform: 'meta', kind: '500', count: 1.5 },
    { platform: 'meta', kind: '500', probability: 0 },
    { platform: 'meta', kind: '500', probability: 2 },
    { platform: 'meta', kind: '500', another: 1 },
    { platform: 'meta', kind: '429', retry_after: -1 },
  ])('are refused when they make no sense: %j', async (body) => {
    const url = await start();
    expect((await add(url, body)).status).toBe(400);
    expect(await get(`${url}/faults`)).toEqual({ faults: [] });
  });

  it('strike as often as told, one after the other, only their platform', async () => {
    const url = await start();
    await add(url, { platform: 'meta', kind: 500, count: 2 });
    await add(url, { platform: 'meta', kind: '429', count: 1, retry_after: 9 });
    expect(await statuses(url, 4)).toEqual([500, 500, 429, 200]);
    expect(await get(`${url}/counted?platform=meta`)).toMatchObject({ total: 1, refused: 3 });
  });

  it('of one platform leave the token endpoint alone that it shares with another', async () => {
    const url = await start();
    for (const platform of ['ga4', 'google_ads']) await post(`${url}/faults`, { platform, kind: '500' });
    const token = await post(
      `${url}/oauth2.googleapis.com/token`,
      'grant_type=refresh_token&client_id=c&client_secret=s&refresh_token=1//good-token',
    );
    expect(token).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
  });

  it('without a count stay until they are taken back', async () => {
    const url = await start();
    await add(url, { platform: 'meta', kind: '500' });
    await add(url, { platform: 'tiktok', kind: '500' });
    expect(await statuses(url, 3)).toEqual([500, 500, 500]);
    await fetch(`${url}/faults?platform=meta`, { method: 'DELETE' });
    expect(await statuses(url, 1)).toEqual([200]);
    expect((await get(`${url}/faults`)).faults).toHaveLength(1);
  });

  it('strike by chance where a probability is given', async () => {
    const rolls = [0.1, 0.9, 0.3];
    const url = await start({ random: () => rolls.shift() ?? 1 });
    await add(url, { platform: 'meta', kind: '500', probability: 0.5 });
    expect(await statuses(url, 3)).toEqual([500, 200, 500]);
  });
});

describe('the log file', () => {
  const logFile = (): string => join(scratchFolder('sandbox'), 'received.jsonl');

  it('brings back the list, the counts and the dedupe memory after a restart, without a torn last line', async () => {
    const file = logFile();
    const first = await startSandbox({ now: () => NOW_MS, logFile: file });
    await post(`${first.url}/${PIXEL}`, { data: [purchase('a', 1.5), purchase('b', 2)] });
    await first.close();
    appendFileSync(file, '{"seq": 3, "platform": "me');
    const url = await start({ logFile: file });
    expect(await get(`${url}/received?platform=meta`)).toMatchObject({ total: 2 });
    await post(`${url}/${PIXEL}`, { data: [purchase('a', 1.5), purchase('c', 1)] });
    expect(await get(`${url}/counted?platform=meta`)).toMatchObject({
      total: 3,
      duplicates: 1,
      value_by_currency: { USD: '4.5' },
    });
    await running.splice(0)[0]?.close();
    const again = await start({ logFile: file });
    expect(await get(`${again}/counted?platform=meta`)).toMatchObject({ total: 3, duplicates: 1 });
  });

  it('is emptied when the sandbox is told to forget', async () => {
    const file = logFile();
    writeFileSync(file, '');
    const first = await startSandbox({ now: () => NOW_MS, logFile: file });
    await post(`${first.url}/${PIXEL}`, { data: [purchase('a', 1)] });
    await fetch(`${first.url}/received`, { method: 'DELETE' });
    await first.close();
    const url = await start({ logFile: file });
    expect(await get(`${url}/received?platform=meta`)).toMatchObject({ total: 0 });
  });
});
