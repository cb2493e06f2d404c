import { describe, expect, it } from 'vitest';
import type { DataKeyStore } from '../../core/ports/data-keys.ts';
import { createTenantMac } from './tenant-mac.ts';
import { createVault } from './vault.ts';

function parts() {
  const stored = new Map<string, Uint8Array>();
  let made = 0;
  const keys: DataKeyStore = {
    read: async (id) => stored.get(id) ?? null,
    create: async (id, wrapped) => {
      if (!stored.has(id)) stored.set(id, wrapped);
      return stored.get(id) ?? wrapped;
    },
  };
  const wrapper = {
    generate: async () => {
      made += 1;
      return { plain: Buffer.alloc(32, made), wrapped: Buffer.alloc(32, made) };
    },
    unwrap: async (_id: string, wrapped: Uint8Array) => wrapped,
  };
  return { wrapper, keys, clock: { now: () => 0 } };
}

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
