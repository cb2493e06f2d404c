// Goal: the log says who changed what, and holds nothing that an erasure would have to take out of it.
import { describe, expect, it } from 'vitest';
import type { Caller } from '#lib/core/tenancy/caller.ts';
import { auditEntry, changesOf, HIDDEN, type RequestFacts } from './audit.ts';

const KEY: Caller = { kind: 'key', keyId: 'k1', merchantId: 'w1', grant: { opens: ['admin'] } };
const AT = { id: '0199', atMs: 5 };
const CLOSED = { action: 'ticket.closed', resourceType: 'ticket', resourceId: 't1' };
const asked = (more: Partial<RequestFacts> = {}): RequestFacts => ({ caller: KEY, requestId: 'r1', ...more });

describe('auditEntry', () => {
  it('names a key, the request and what was done', () => {
    const facts = asked({
      clientIp: '203.0.113.7',
      userAgent: 'curl/8',
      caller: { ...KEY, name: 'Billing' },
    });
    expect(auditEntry(facts, { ...CLOSED, changes: { status: { from: 1, to: 2 } } }, AT)).toEqual({
      id: '0199',
      workspaceId: 'w1',
      atMs: 5,
      action: 'ticket.closed',
      actor: { type: 'api_key', id: 'k1', label: 'Billing' },
      source: 'server',
      resourceType: 'ticket',
      resourceId: 't1',
      changes: '{"status":{"from":1,"to":2}}',
      metadata: null,
      ip: '203.0.113.7',
      userAgent: 'curl/8',
      requestId: 'r1',
    });
  });

  it('names a person by the subject of the session', () => {
    const caller: Caller = {
      kind: 'session',
      sub: 'ann',
      merchantId: 'w2',
      role: 'member',
      grant: { opens: [] },
    };
    const entry = auditEntry(asked({ caller }), CLOSED, AT);
    expect([entry.workspaceId, entry.actor]).toEqual(['w2', { type: 'user', id: 'ann', label: 'user:ann' }]);
  });

  it('names a worker, which has no request', () => {
    const entry = auditEntry({ workspaceId: 'w1', system: 'webhooks' }, CLOSED, AT);
    expect(entry.actor).toEqual({ type: 'system', id: 'webhooks', label: 'webhooks' });
    expect([entry.ip, entry.userAgent, entry.requestId]).toEqual([null, null, null]);
  });

  it('cuts a long user agent between characters', () => {
    const { userAgent } = auditEntry(asked({ userAgent: '😀'.repeat(400) }), CLOSED, AT);
    expect(userAgent).toBe(`${'😀'.repeat(300)}…`);
  });
});

describe('changesOf', () => {
  interface Sample {
    readonly state: string;
    readonly email: string;
    readonly closedAtMs: number | null;
    readonly tags: readonly string[];
    readonly body: string;
  }
  const before: Sample = { state: 'OPEN', email: 'a@b.example', closedAtMs: null, tags: ['a'], body: 'x' };
  const after: Sample = {
    ...before,
    state: 'DONE',
    email: 'c@d.example',
    closedAtMs: 0,
    tags: ['a', 'b'],
    body: 'y',
  };

  it('shows what may be shown, under the names of the API', () => {
    expect(changesOf<object>(before, after, { shown: [] })).toBeNull();
    expect(changesOf(before, after, { shown: ['state', 'closedAtMs', 'tags'] })).toEqual({
      state: { from: 'OPEN', to: 'DONE' },
      closed_at: { from: null, to: '1970-01-01T00:00:00.000Z' },
      tags: { from: ['a'], to: ['a', 'b'] },
    });
  });

  it('says of hidden fields that they changed, and whether there was something', () => {
    const changes = changesOf(before, { ...after, body: '' }, { shown: [], hidden: ['email', 'body'] });
    expect(changes).toEqual({ email: { from: HIDDEN, to: HIDDEN }, body: { from: HIDDEN, to: HIDDEN } });
    const born = changesOf(null, after, { shown: ['state'], hidden: ['email'] });
    expect(born).toEqual({ state: { from: null, to: 'DONE' }, email: { from: null, to: HIDDEN } });
    expect(JSON.stringify([changes, born])).not.toContain('@');
  });

  it('is null where nothing differs', () => {
    expect(changesOf(before, { ...before, tags: ['a'] }, { shown: ['state', 'tags'] })).toBeNull();
  });

  it('cuts long values', () => {
    const changes = changesOf({ text: '' }, { text: '😀'.repeat(9_000) }, { shown: ['text'] });
    expect([...String(changes?.text?.to)].length).toBe(501);
    const list = changesOf({ list: [''] }, { list: ['x'.repeat(9_000)] }, { shown: ['list'] });
    expect(JSON.stringify(list).length).toBeLessThan(600);
  });
});
