import { describe, expect, it } from 'vitest';
import { createMemoryOneTimeStore } from '#test/support/memory/assistant-stores.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createSeededRandom } from '#test/support/memory/random.ts';
import type { Caller } from '../tenancy/caller.ts';
import { propose, takeConfirmed } from './confirmations.ts';

const person: Caller = { kind: 'session', sub: 's', merchantId: 'm', role: 'owner', grant: { opens: [] } };
const PROPOSED = { operation: 'updateAccount', input: { body: { name: 'Jane Doe’s shop' } } };

function opened() {
  const confirmations = createMemoryOneTimeStore();
  return {
    confirmations,
    ports: {
      confirmations,
      vault: {
        seal: async (merchant: string, context: string, text: string) =>
          Buffer.from(JSON.stringify([merchant, context, text])).toString('base64'),
        open: async (_merchant: string, _context: string, sealed: string) =>
          (JSON.parse(Buffer.from(sealed, 'base64').toString()) as [string, string, string])[2],
      },
      clock: createManualClock(Date.UTC(2026, 10, 20)),
      random: createSeededRandom('confirmations'),
    },
  };
}

describe('a confirmation', () => {
  it.each<readonly [string, Caller]>([
    ['the same person at another merchant', { ...person, merchantId: 'n' }],
    ['somebody else at the merchant', { ...person, sub: 't' }],
    [
      'a key with the id of the person',
      { kind: 'key', keyId: 's', merchantId: 'm', grant: { opens: ['admin'] } },
    ],
  ])('is not there for %s', async (_who, other) => {
    const { ports } = opened();
    const { id } = await propose(PROPOSED, person, ports);
    expect(await takeConfirmed(id, other, ports)).toBeNull();
    expect(await takeConfirmed(id, person, ports)).toEqual(PROPOSED);
    expect(await takeConfirmed(id, person, ports)).toBeNull();
  });

  it('keeps nothing in the open: neither what would be done nor for whom', async () => {
    const { confirmations, ports } = opened();
    const { id } = await propose(PROPOSED, person, ports);
    expect(JSON.stringify([...confirmations.kept])).not.toMatch(/Jane|updateAccount/);
    expect([...confirmations.kept.keys()]).not.toContain(id);
  });

  it('is another one each time', async () => {
    const { ports } = opened();
    const ids = await Promise.all(Array.from({ length: 50 }, () => propose(PROPOSED, person, ports)));
    expect(new Set(ids.map(({ id }) => id)).size).toBe(50);
  });
});
