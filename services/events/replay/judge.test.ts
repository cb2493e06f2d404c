// Promise: what a connection had says nothing of another one that came into its place.
import { expect, it } from 'vitest';
import { NO_PROGRESS } from '#lib/events/domain/replays/plan.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { deliveryIn, normalizedEvent, normalizedRow } from '#test/contract/stored-rows.ts';
import { judge } from './judge.ts';

it.each([
  [5, 'already_delivered'],
  [8, 'will_send'],
])('a connection since version %i, of an event decided under version 7: %s', (sinceVersion, word) => {
  const draft = { eventId: 'e', routingVersion: 7, deliveries: { meta: deliveryIn('DELIVERED') } };
  const row = normalizedRow(draft);
  const connections = [{ id: 'con_b', platform: 'meta', sinceVersion }];
  const plan = {
    ...{ merchantId: row.key.merchantId, id: 'p', createdAtMs: 0, updatedAtMs: 0, state: 'running' as const },
    ...{
      version: 1,
      step: 0,
      filter: { fromMs: 0, toMs: 1 },
      only: 'undelivered' as const,
      dedupe: 'new' as const,
    },
    ...{ dryRun: false, rate: 1, progress: NO_PROGRESS, platforms: ['con_b', 'con_gone'] },
  };
  const original = { kind: 'there' as const, row, event: normalizedEvent(draft) };
  const acceptance = { ingestId: row.ingestId, receivedAtMs: row.receivedAtMs };
  const routing = { merchantId: row.key.merchantId, version: 9, connections, rules: [] };
  const { words, replay } = judge(original, acceptance, { plan, routing, platforms: PLATFORMS });
  // One that was removed since is sent nothing.
  expect(words).toEqual({ con_b: word, con_gone: 'excluded' });
  expect(replay !== undefined).toBe(word === 'will_send');
});
