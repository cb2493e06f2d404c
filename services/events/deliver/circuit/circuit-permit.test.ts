// Goal: what is parked waits for as long as its platform takes the event that would be sent, which rules may have changed.
import { expect, it } from 'vitest';
import type { Rewrite } from '#lib/events/domain/rules/rule.ts';
import { platformBySlug } from '#lib/events/platforms/registry.ts';
import { NOW } from '#test/contract/api-host.ts';
import { normalizedRow } from '#test/contract/stored-rows.ts';
import type { DeliverPorts } from '../ports.ts';
import { type CircuitPermit, parkIfClosed } from './circuit-permit.ts';

const SIX_DAYS_AGO = NOW / 1_000 - 6 * 86_400;

it('keeps what a rule made an event of a shop for as long as those are taken', async () => {
  const meta = platformBySlug('meta');
  if (meta === undefined) throw new Error('Meta is gone');
  const permit = {
    gate: { pass: 'none', reason: 'connection_paused' },
    allows: () => false,
    pursuit: {},
  } as unknown as CircuitPermit;
  const windowOf = async (rewrites: readonly Rewrite[]): Promise<number> => {
    const row = normalizedRow({
      eventId: 'e',
      receivedAtMs: NOW,
      event: { rewrites, eventTimeSec: SIX_DAYS_AGO },
    });
    const ports = { clock: { now: () => row.receivedAtMs } } as unknown as DeliverPorts;
    const kept = await parkIfClosed(
      row,
      undefined,
      { platform: meta, target: meta.slug, isFirst: true, permit },
      ports,
    );
    if (kept === null || kept === 'parked already') throw new Error('not kept back');
    return kept.window.windowEndsAtMs - row.receivedAtMs;
  };
  const inShop = { op: 'set_field', field: 'action_source', value: 'physical_store' } as const;
  const rewrites = (slug: string) => [{ rule: 'rul_1', changes: [inShop], platforms: [slug] }];
  expect(await windowOf(rewrites('meta'))).toBeGreaterThan(await windowOf([]));
  expect(await windowOf(rewrites('tiktok'))).toBe(await windowOf([]));
});
