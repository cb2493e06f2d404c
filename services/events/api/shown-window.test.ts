// Goal: the window that is shown is that of what is sent, and a row of a later release is shown all the same.
import { expect, it } from 'vitest';
import type { RuleChange } from '../../../lib/events/domain/rule.ts';
import { platformBySlug } from '../../../lib/events/platforms/registry.ts';
import { NOW } from '../../../test/contract/api-host.ts';
import { normalizedRow } from '../../../test/contract/stored-rows.ts';
import { shownWindow } from './shown-window.ts';

const meta = platformBySlug('meta');
if (meta === undefined) throw new Error('Meta is gone');
const reported: unknown[] = [];
const report = (_problem: string, error: unknown): void => void reported.push(error);

const shown = (change: RuleChange, slug: string): number => {
  const rewrites = [{ rule: 'rul_1', changes: [change], platforms: [slug] }];
  const event = { rewrites, eventTimeSec: NOW / 1_000 - 6 * 86_400 };
  return Date.parse(shownWindow(normalizedRow({ eventId: 'e', event }), meta, { report }));
};
const IN_SHOP: RuleChange = { op: 'set_field', field: 'action_source', value: 'physical_store' };

it('is that of the event as rules changed it for the platform', () => {
  expect(shown(IN_SHOP, 'meta')).toBeGreaterThan(shown(IN_SHOP, 'tiktok'));
  expect(reported).toEqual([]);
});

it('is that of the event as it came where a change is of a later release', () => {
  expect(shown({ op: 'translate' } as unknown as RuleChange, 'meta')).toBe(shown(IN_SHOP, 'tiktok'));
  expect(reported).toHaveLength(1);
});
