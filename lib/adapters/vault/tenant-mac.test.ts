import { describe, expect, it } from 'vitest';
import { createMemoryDataKeys } from '#test/support/memory/config-stores.ts';
import { PLAIN_WRAPPER } from '#test/support/memory/event-vault.ts';
import { createTenantMac } from './tenant-mac.ts';
import { createVault } from './vault.ts';

const parts = () => ({ wrapper: PLAIN_WRAPPER, keys: createMemoryDataKeys(), clock: { now: () => 0 } });

const hex = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString('hex'));

describe('createTenantMac', () => {
  it('is the same for the same tenant, use and text, in every process, and another for any other', async () => {
    const ground = parts();
    const one = createTenantMac(ground);
    const first = hex(await one.mac('a', 'use', 'text', true));
    expect(first).toHaveLength(64);
    expect(hex(await createTenantMac(ground).mac('a', 'use', 'text', false))).toBe(first);
    const others = [
      await one.mac('b', 'use', 'text', true),
      await one.mac('a', 'usf', 'text', true),
      await one.mac('a', 'use', 'texu', true),
    ].map(hex);
    expect(new Set([first, ...others]).size).toBe(4);
  });

  it('has none for a tenant without a key, until one is made', async () => {
    const ground = parts();
    const mac = createTenantMac(ground);
    expect(await mac.mac('nobody', 'use', 'text', false)).toBeNull();
    await createVault(ground).seal('nobody', 'c', 'x');
    expect(await mac.mac('nobody', 'use', 'text', false)).not.toBeNull();
  });

  it('makes a key although somebody asked without a moment before', async () => {
    const mac = createTenantMac(parts());
    const [before, after] = await Promise.all([
      mac.mac('a', 'use', 'text', false),
      mac.mac('a', 'use', 'text', true),
    ]);
    expect(before).toBeNull();
    expect(after).not.toBeNull();
  });
});
