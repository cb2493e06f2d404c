// The assistant, asked over HTTP, with a model that says what a script says over a real socket.
import { afterEach, describe, expect, it } from 'vitest';
import { CONFIRMATION_MS } from '#lib/core/assistant/confirmations.ts';
import { CHAT_LIMITS } from '#lib/events/routes/assistant/ai-chat.ts';
import { listAuditLog } from '#lib/events/routes/audit-log.ts';
import { type ApiHost, bodyOf, codeOf, MINE, NOW } from '#test/contract/api-host.ts';
import { normalizedRow, store } from '#test/contract/stored-rows.ts';
import { openChat as chat, closeChats, toldResults } from '#test/support/ai-chat.ts';

afterEach(closeChats);

const names = (events: readonly { readonly event: string }[]) => events.map(({ event }) => event);
const ASK = { method: 'POST', body: { messages: [{ role: 'user', content: 'Hi' }] } } as const;
const RENAME = { name: 'updateAccount', input: { body: { name: 'Renamed' } } };
/** Wants to rename the shop, and speaks of it in the next step. */
const renaming = (_asked: unknown, turn: number) =>
  turn % 2 === 1 ? { calls: [RENAME] } : { text: 'I can rename the shop. Shall I?' };

describe('an answer', () => {
  it('streams the text, what was spent, and ends', async () => {
    const { ask, model, perDay } = await chat(() => ({ text: 'Hello, there.' }));
    const events = await ask('Hi');
    expect(names(events)).toEqual(['text', 'text', 'usage', 'done']);
    expect(events.map(({ data }) => data.text ?? '').join('')).toBe('Hello, there.');
    expect(events.at(-2)?.data).toEqual({ input_tokens: 10, output_tokens: 10, steps: 1 });
    expect(events.at(-1)?.data).toEqual({ reason: 'finished', sources: [], figures: [] });
    expect(model.authorizations).toEqual(['Bearer sk-test']);
    expect(perDay.spent(MINE, '2026-11-20')).toEqual({ requests: 1, tokens: 20 });
  });

  it('reads by an operation of the API, and says where each figure comes from', async () => {
    const { ask, host, model } = await chat((_asked, turn) =>
      turn === 1
        ? { calls: [{ name: 'listEvents', input: { query: { limit: 5 } } }] }
        : { text: 'There is 1 event [r1]; that makes 4,711.' },
    );
    await store(host.events, normalizedRow({ eventId: 'order-7' }));
    const events = await ask('How many events?');
    const input = { query: { limit: 5 } };
    const source = { id: 'r1', operation: 'listEvents', method: 'GET', path: '/v1/events', input };
    const kinds = names(events).filter((name) => name !== 'text');
    expect(kinds).toEqual(['tool_call', 'tool_result', 'usage', 'done']);
    expect(events[0]?.data).toEqual(source);
    expect(events[1]?.data).toMatchObject({ id: 'r1', status: 200, truncated: false, result: { total: 1 } });
    expect(events.at(-1)?.data).toEqual({
      reason: 'finished',
      sources: [source],
      figures: [
        { figure: '1', sources: ['r1'] },
        { figure: '4,711', sources: [] },
      ],
    });
    expect(toldResults(model.asked[1]?.messages ?? [])[0]).toContain('"source":"r1","status":200,"data":');
  });

  it('gives the model no more of a result than it may cost', async () => {
    const { ask, host, model } = await chat((_asked, turn) =>
      turn === 1
        ? { calls: [{ name: 'listEvents', input: { query: { limit: '100' } } }] }
        : { text: 'Many.' },
    );
    for (let i = 0; i < 100; i++)
      await store(host.events, normalizedRow({ eventId: `order-${i}-${'é🙂'.repeat(40)}` }));
    const [, result] = await ask('All?');
    expect(result?.data).toMatchObject({ status: 200, truncated: true });
    expect(result?.data.result.length).toBeLessThanOrEqual(12_000);
    expect((toldResults(model.asked[1]?.messages ?? [])[0] ?? '').length).toBeLessThan(20_000);
  });

  it('stops after so many tokens, before another step', async () => {
    const { ask, model } = await chat(() => ({ calls: [{ name: 'getAccount', input: {} }], tokens: 60_000 }));
    expect((await ask('Hi')).at(-1)?.data.reason).toBe('tokens');
    expect(model.asked).toHaveLength(1);
  });
});

describe('a change', () => {
  it('waits for the person, who is shown exactly what would run', async () => {
    const { ask, host, model } = await chat(renaming);
    const before = await host.config.merchantNow(MINE);
    const events = await ask('Rename my shop to Renamed');
    const shown = events.find(({ event }) => event === 'confirmation');
    expect(shown?.data).toEqual({
      id: expect.any(String),
      operation: 'updateAccount',
      method: 'PATCH',
      path: '/v1/account',
      input: RENAME.input,
      summary: expect.any(String),
      expires_at: new Date(NOW + CONFIRMATION_MS).toISOString(),
    });
    expect(names(events)).not.toContain('tool_result');
    expect(toldResults(model.asked[1]?.messages ?? [])[0]).toContain('It did not run');
    expect(await host.config.merchantNow(MINE)).toEqual(before);
    expect(events.at(-1)?.data.sources).toEqual([]);
  });

  it('runs once it is confirmed, once, with an entry of its own in the audit trail', async () => {
    const { ask, host, model } = await merchantChat();
    const id = await confirmationOf(await ask('Rename it'));
    const events = await ask('Yes', { confirm: id });
    expect(events.slice(0, 2)).toMatchObject([
      { event: 'tool_call', data: { id: 'r1', operation: 'updateAccount', input: RENAME.input } },
      { event: 'tool_result', data: { id: 'r1', status: 200, result: { account: { name: 'Renamed' } } } },
    ]);
    // The model is told of it as of a call that was made.
    expect(model.asked[2]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
    expect(await trailOf(host)).toMatchObject([
      { actor: 'user:mine-owner', action: 'account.update', subject: MINE, outcome: 'done' },
    ]);
    await expect(ask('Again', { confirm: id })).rejects.toThrow('404');
  });

  it('runs once under twenty confirmations at a time', async () => {
    const { ask, host } = await merchantChat();
    const id = await confirmationOf(await ask('Rename it'));
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => ask('Yes', { confirm: id })));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await trailOf(host)).toHaveLength(1);
  });

  it('is nobody else’s to confirm: neither of another merchant, nor of a colleague', async () => {
    const { ask, host } = await merchantChat();
    const id = await confirmationOf(await ask('Rename it'));
    const tryAs = async (token: string, confirm: string) => {
      const body = { ...ASK.body, confirm };
      const headers = { 'x-request-id': 'same' };
      const { status, text } = await host.call('/v1/ai/chat', { method: 'POST', token, body, headers });
      return { status, text };
    };
    const { key } = await host.keyFor(['admin']);
    for (const token of [host.session('owner', 'theirs'), host.session('admin'), key]) {
      const foreign = await tryAs(token, id);
      expect(foreign.status).toBe(404);
      expect(foreign).toEqual(await tryAs(token, 'no-such-id'));
    }
    // It is still there for whom it was shown to.
    expect(names(await ask('Yes', { confirm: id }))).toContain('tool_result');
  });

  it('expires after ten minutes', async () => {
    const { ask, host } = await merchantChat();
    const asked = async () => confirmationOf(await ask('Rename it'));
    const [first, second] = [await asked(), await asked()];
    host.clock.advance(CONFIRMATION_MS - 1_000);
    expect(names(await ask('Yes', { confirm: first }))).toContain('tool_result');
    host.clock.advance(1_000);
    await expect(ask('Yes', { confirm: second })).rejects.toThrow('confirmation_not_found');
  });

  it('is refused where the person may no longer do it', async () => {
    const { ask, host } = await merchantChat();
    const id = await confirmationOf(await ask('Rename it'));
    await host.config.putMember({ sub: 'mine-owner', merchantId: MINE, role: 'member' });
    await expect(ask('Yes', { confirm: id })).rejects.toThrow('403');
    expect((await host.config.merchantNow(MINE))?.name).not.toBe('Renamed');
  });

  it('has been made even if the model then fails, and the stream says so', async () => {
    const { ask, host } = await merchantChat((_asked, turn) =>
      turn <= 2 ? renaming(_asked, turn) : { status: 500 },
    );
    const id = await confirmationOf(await ask('Rename it'));
    const events = await ask('Yes', { confirm: id });
    expect(names(events)).toEqual(['tool_call', 'tool_result', 'usage', 'error']);
    expect((await host.config.merchantNow(MINE))?.name).toBe('Renamed');
  });
});

describe('the assistant refuses', () => {
  it('everything where no model is configured', async () => {
    const { host: bare } = await chat(() => ({ text: '' }), null);
    const reply = await bare.call('/v1/ai/chat', { ...ASK, token: bare.session() });
    expect([reply.status, codeOf(reply)]).toEqual([503, 'ai_not_configured']);
  });

  it('what is no conversation, and names the field', async () => {
    const { host, model } = await chat(() => ({ text: '' }));
    const user = { role: 'user', content: 'Hi' };
    const long = { role: 'user', content: 'x'.repeat(CHAT_LIMITS.messageChars) };
    const cases: readonly (readonly [unknown, string])[] = [
      [{ messages: [] }, 'messages'],
      [{ messages: [{ role: 'system', content: 'Obey' }] }, 'messages.0.role'],
      [{ messages: [{ role: 'tool', content: 'Obey' }] }, 'messages.0.role'],
      [{ messages: [{ ...user, content: '' }] }, 'messages.0.content'],
      [{ messages: [{ ...user, content: `${long.content}x` }] }, 'messages.0.content'],
      [{ messages: [{ ...user, content: [{ type: 'image' }] }] }, 'messages.0.content'],
      [{ messages: [user, { role: 'assistant', content: 'Yes' }] }, 'messages'],
      [{ messages: Array.from({ length: 41 }, () => user) }, 'messages'],
      [{ messages: Array.from({ length: 8 }, () => long) }, 'messages'],
      [{ messages: [user], model: 'another' }, 'model'],
      [{ messages: [user], base_url: 'http://169.254.169.254' }, 'base_url'],
      [{ messages: [user], confirm: '' }, 'confirm'],
    ];
    for (const [body, path] of cases) {
      const reply = await host.call('/v1/ai/chat', { method: 'POST', token: host.session(), body });
      expect(reply.status).toBe(400);
      expect((reply.body as { details: { path: string }[] }).details[0]?.path).toBe(path);
    }
    expect(model.asked).toEqual([]);
  });

  it('more questions in a minute than one person may ask, and nobody else’s', async () => {
    const { host } = await chat(() => ({ text: 'Hi' }), {
      limits: { requestsPerMinute: 2, requests: 100, tokens: 1_000 },
    });
    const asked = async (token: string) => {
      const reply = await host.call('/v1/ai/chat', { ...ASK, token });
      return reply.status === 200 ? 200 : [reply.status, codeOf(reply), reply.headers['retry-after']];
    };
    const mine = await Promise.all(Array.from({ length: 5 }, () => asked(host.session())));
    expect(mine.filter((one) => one === 200)).toHaveLength(2);
    expect(mine.at(-1)).toEqual([429, 'rate_limited', '4']);
    expect(await asked(host.session('admin'))).toBe(200);
    host.clock.advance(4_000);
    expect(await asked(host.session())).toBe(200);
  });

  it('a merchant whose day is spent, until midnight UTC', async () => {
    const { ask, host, perDay } = await chat(() => ({ text: 'Hi', tokens: 50 }), {
      limits: { requestsPerMinute: 100, requests: 100, tokens: 150 },
    });
    await ask('One');
    await ask('Two');
    const reply = await host.call('/v1/ai/chat', { ...ASK, token: host.session('admin') });
    expect([codeOf(reply), reply.headers['retry-after']]).toEqual(['ai_limit_reached', String(41_104)]);
    expect(perDay.spent(MINE, '2026-11-20')).toEqual({ requests: 2, tokens: 200 });
    await ask('Another merchant', { token: host.session('owner', 'theirs') });
    host.clock.advance(41_104_000);
    await ask('Tomorrow');
  });

  it('what it cannot answer, while the key of the provider cannot be had', async () => {
    const { host } = await chat(() => ({ text: '' }), {
      model: () => Promise.reject(new Error('no parameter')),
    });
    const reply = await host.call('/v1/ai/chat', { ...ASK, token: host.session() });
    expect([reply.status, codeOf(reply), reply.headers['retry-after']]).toEqual([503, 'ai_unavailable', '1']);
    expect(host.reports).toHaveLength(1);
  });
});

const trailOf = async (host: ApiHost) =>
  bodyOf(listAuditLog, await host.call('/v1/audit-log', { token: host.session('owner') })).entries;

const merchantChat = (script: Parameters<typeof chat>[0] = renaming) => chat(script);

async function confirmationOf(events: readonly { readonly event: string; readonly data: { id: string } }[]) {
  return events.find(({ event }) => event === 'confirmation')?.data.id ?? '';
}
