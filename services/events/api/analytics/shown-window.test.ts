// Goal: the window that is shown is that of what is sent, and a row of a later release is shown all the same.
import { expect, it } from 'vitest';
import type { RuleChange } from '#lib/events/domain/rules/rule.ts';
import { platformBySlug } from '#lib/events/platforms/registry.ts';
import { NOW } from '#test/contract/api-host.ts';
import { normalizedRow } from '#test/contract/stored-rows.ts';
import { createWindowReader } from './shown-window.ts';

const meta = platformBySlug('meta');
if (meta === undefined) throw new Error('Meta is gone');
const reported: unknown[] = [];
const report = (_problem: string, error: unknown): void => void reported.push(error);

const shown = async (change: RuleChange, slug: string): Promise<number> => {
  const rewrites = [{ rule: 'rul_1', changes: [change], platforms: [slug] }];
  const event = { rewrites, eventTimeSec: NOW / 1_000 - 6 * 86_400 };
  const windows = await createWindowReader('m', [], { report, config: { merchant: async () => null } });
  const row = normalizedRow({ eventId: 'e', event });
  return Date.parse(windows.read(row, { platform: meta, code: 'pending' }).window_closes_at);
};
const IN_SHOP: RuleChange = { op: 'set_field', field: 'action_source', value: 'physical_store' };

it('is that of the event as rules changed it for the platform', async () => {
  expect(await shown(IN_SHOP, 'meta')).toBeGreaterThan(await shown(IN_SHOP, 'tiktok'));
  expect(reported).toEqual([]);
});

it('is that of the event as it came where a change is of a later release', async () => {
  const unknown = await shown({ op: 'translate' } as unknown as RuleChange, 'meta');
  expect(unknown).toBe(await shown(IN_SHOP, 'tiktok'));
  expect(reported).toHaveLength(1);
});
