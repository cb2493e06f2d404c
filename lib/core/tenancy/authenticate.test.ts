// Goal: a credential opens what it is of: its own product, while it lasts, and what the record says, never the token.
import { expect, it } from 'vitest';
import { createManualClock } from '#test/support/memory/clock.ts';
import { memoryKeys, memoryMembers } from '#test/support/memory/tenancy-stores.ts';
import { formatApiKey, hashApiKey } from './api-key.ts';
import { keyCaller, sessionCaller } from './authenticate.ts';
import type { ProductAccess } from './grant.ts';

const T0 = Date.UTC(2026, 10, 20);
const DESK: ProductAccess = {
  product: 'hdk',
  opensOf: (scopes) => scopes,
  scopesOf: (rights) => rights.map((right) => `scopes of ${right}`),
};
const EVENTS: ProductAccess = { ...DESK, product: 'evk' };

async function open() {
  const config = { ...memoryKeys('hdk'), ...memoryMembers() };
  const key = formatApiKey('hdk_test', Buffer.alloc(32, 5));
  await config.putApiKey({
    sha256: hashApiKey(key),
    keyId: 'key_1',
    merchantId: 'm',
    name: 'Server',
    prefix: key.slice(0, 13),
    scopes: ['read:tickets'],
    createdAtMs: T0,
    expiresAtMs: T0 + 1_000,
  });
  await config.putMember({ sub: 'anna', merchantId: 'm', role: 'agent' });
  const sessions = { verify: async (token: string) => (token === 'bad' ? null : { sub: token }) };
  return { key, ports: { config, sessions, clock: createManualClock(T0) } };
}

it('knows a key of its product, until it ends', async () => {
  const { key, ports } = await open();
  const caller = {
    kind: 'key',
    keyId: 'key_1',
    name: 'Server',
    merchantId: 'm',
    grant: {
      opens: ['read:tickets'],
      limits: { product: 'hdk', environment: 'test', expiresAtMs: T0 + 1_000 },
    },
  };
  expect(await keyCaller(key, DESK, ports)).toEqual(caller);
  ports.clock.advance(1_000);
  expect(await keyCaller(key, DESK, ports)).toBeNull();
});

it('knows no revoked key, no other product’s, and none with a letter changed', async () => {
  const { key, ports } = await open();
  expect(await keyCaller(key, EVENTS, ports)).toBeNull();
  expect(await keyCaller(key.replace('hdk_', 'evk_'), EVENTS, ports)).toBeNull();
  expect(await keyCaller(`${key.slice(0, -1)}!`, DESK, ports)).toBeNull();
  expect(await keyCaller(`${key}, ${key}`, DESK, ports)).toBeNull();
  await ports.config.revokeApiKey('m', 'key_1', T0);
  expect(await keyCaller(key, DESK, ports)).toBeNull();
});

it('knows a member by the record, and who is none', async () => {
  const { ports } = await open();
  expect(await sessionCaller('anna', undefined, DESK, ports)).toEqual({
    kind: 'session',
    sub: 'anna',
    merchantId: 'm',
    role: 'agent',
    grant: {
      opens: ['see:helpdesk', 'answer:helpdesk', 'scopes of see:helpdesk', 'scopes of answer:helpdesk'],
    },
  });
  // Of a product in which the role opens nothing, there is no such member.
  expect(await sessionCaller('anna', undefined, EVENTS, ports)).toEqual({ kind: 'stranger', sub: 'anna' });
  expect(await sessionCaller('bert', undefined, DESK, ports)).toEqual({ kind: 'stranger', sub: 'bert' });
  expect(await sessionCaller('bad', undefined, DESK, ports)).toBeNull();
  expect(await sessionCaller('anna', undefined, DESK, { ...ports, sessions: null })).toBeNull();
});
