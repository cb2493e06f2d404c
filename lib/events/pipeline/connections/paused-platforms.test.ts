// Goal: a platform that an operator has paused looks paused at every merchant, without a read for an event, and never open where
// it cannot be looked up. Method: the decorated store over counted looks.
import { expect, it } from 'vitest';
import type { Connection } from '../../domain/connections/connection.ts';
import type { PlatformPause } from '../../domain/connections/paused-platform.ts';
import { withPausedPlatforms } from './paused-platforms.ts';

const connection = {
  platform: 'meta',
  status: 'active',
  circuit: { openedAtMs: 1 },
} as unknown as Connection;

function opened(look: () => Promise<readonly PlatformPause[]>) {
  let nowMs = 1_000_000;
  let looks = 0;
  const store = {
    connectionsOf: async (_merchant: string) => (slot: string) =>
      slot === 'none' ? null : { ...connection, platform: slot },
    connection: async (_merchant: string, _slot: string): Promise<Connection | null> => connection,
  };
  const platformPauses = () => {
    looks += 1;
    return look();
  };
  const held = withPausedPlatforms(store, { platformPauses }, { now: () => nowMs });
  return { held, looks: () => looks, pass: (ms: number) => (nowMs += ms) };
}

const pause = { platform: 'meta', atMs: 1, by: 'operator:anna', reason: 'x' };

it('pauses its connections alone, as a person would, and not those of an ended pause', async () => {
  const { held } = opened(async () => [pause, { ...pause, platform: 'ga4', endedAtMs: 2, endedBy: 'x' }]);
  expect(await held.connection('m', 'meta')).toMatchObject({ status: 'paused', pausedReason: 'manual' });
  for (const slot of ['ga4', 'tiktok', 'none'])
    expect((await held.connection('m', slot))?.status).not.toBe('paused');
});

it('looks once in ten seconds, however many ask', async () => {
  const { held, looks, pass } = opened(async () => []);
  await Promise.all(Array.from({ length: 50 }, (_, i) => held.connection(`m${i}`, 'meta')));
  pass(9_999);
  await held.connection('m', 'meta');
  expect(looks()).toBe(1);
  pass(1);
  await held.connection('m', 'meta');
  expect(looks()).toBe(2);
});

it('sends nothing while it cannot look, and looks again for the next that asks', async () => {
  let isDown = true;
  const { held } = opened(async () => {
    if (isDown) throw new Error('down');
    return [];
  });
  await expect(held.connection('m', 'meta')).rejects.toThrow('down');
  isDown = false;
  expect((await held.connection('m', 'meta'))?.status).toBe('active');
});
