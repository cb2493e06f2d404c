// The assistant of the embedded host, through the function URL as a browser reaches it: a scripted model behind a real socket,
// the deployed settings, the real tables.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Host, startHost } from '../../services/local/host.ts';
import { type ChatEvent, chatEventsOf } from '../support/ai-chat.ts';
import { type Script, startScriptedModel } from '../support/scripted-model.ts';

const errors: string[] = [];
let script: Script = () => ({ text: '' });
let model: Awaited<ReturnType<typeof startScriptedModel>>;
let folder: string;
let host: Host;

beforeAll(async () => {
  model = await startScriptedModel((asked, turn) => script(asked, turn));
  folder = mkdtempSync(join(tmpdir(), 'assistant-'));
  const dataDir = join(folder, '.local');
  await mkdir(dataDir, { recursive: true });
  writeFileSync(join(dataDir, 'ai-api-key'), 'sk-from-the-file\n', { mode: 0o600 });
  host = await startHost({
    portBase: 0,
    dataDir,
    assistant: { AI_PROVIDER: 'openai-compatible', AI_MODEL: 'scripted', AI_BASE_URL: model.baseUrl },
    onError: (text) => errors.push(text),
  });
});
afterAll(async () => {
  await host.close();
  await model.close();
  rmSync(folder, { recursive: true, force: true });
});

const call = (path: string, method: string, body: unknown, signal?: AbortSignal) =>
  fetch(`${host.session.api_url}${path}`, {
    method,
    headers: { authorization: `Bearer ${host.session.session_jwt}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
const messages = [{ role: 'user', content: 'Call my shop Renamed.' }];

async function ask(confirm?: string): Promise<readonly ChatEvent[]> {
  const answer = await call('/v1/ai/chat', 'POST', {
    messages,
    ...(confirm === undefined ? {} : { confirm }),
  });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
  ]);
  return chatEventsOf(await answer.text());
}

describe('the assistant of a host', () => {
  it('changes what is confirmed, once, and the trail says so', async () => {
    script = ({ messages: said }) =>
      said.some(({ role }) => role === 'tool')
        ? { text: 'As you wish.' }
        : { calls: [{ name: 'updateAccount', input: { body: { name: 'Renamed' } } }] };
    const shown = (await ask()).find(({ event }) => event === 'confirmation');
    const nameNow = async () =>
      ((await (await call('/v1/account', 'GET', undefined)).json()) as Account).account.name;
    expect(await nameNow()).not.toBe('Renamed');
    const done = await ask(shown?.data.id);
    expect(done.map(({ event }) => event)).toEqual([
      'tool_call',
      'tool_result',
      'text',
      'text',
      'text',
      'usage',
      'done',
    ]);
    expect(await nameNow()).toBe('Renamed');
    const again = await call('/v1/ai/chat', 'POST', { messages, confirm: shown?.data.id });
    expect([again.status, ((await again.json()) as { code: string }).code]).toEqual([
      404,
      'confirmation_not_found',
    ]);
    const trail = (await (await call('/v1/audit-log?action=account.update', 'GET', undefined)).json()) as {
      entries: readonly unknown[];
    };
    expect(trail.entries).toHaveLength(1);
    expect(model.authorizations[0]).toBe('Bearer sk-from-the-file');
  });

  it('stops asking the provider when the client leaves', async () => {
    const turn = model.asked.length;
    script = () => ({ hangs: true });
    const leaving = new AbortController();
    const answer = await call('/v1/ai/chat', 'POST', { messages }, leaving.signal);
    const reader = answer.body?.getReader();
    // The first word came through: the provider is still talking.
    expect(chatEventsOf(Buffer.from((await reader?.read())?.value ?? []).toString())).toEqual([
      { event: 'text', data: { text: 'Well' } },
    ]);
    leaving.abort();
    await model.closed(turn);
    expect(errors).toEqual([]);
  });
});

interface Account {
  readonly account: { readonly name: string };
}
