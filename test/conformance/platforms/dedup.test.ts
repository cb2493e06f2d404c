// What a definition says of how the platform tells copies apart is what its stand-in, written from the vendor's pages, does.
import { describe, expect, it } from 'vitest';
import type { OutgoingEvent } from '#lib/events/domain/privacy/outgoing-event.ts';
import { asReceived } from '#test/platforms/as-received.ts';
import { sampleEvent } from '#test/support/sample-event.ts';
import { CALLER, loadPlatformModules, NOW_MS, type PlatformModule } from './platform-modules.ts';

const modules = await loadPlatformModules();

function keyOf({ platform, sandbox }: PlatformModule, credentials: unknown, event: OutgoingEvent) {
  const request = asReceived(platform.buildRequest([event], credentials, CALLER));
  const { events } = sandbox.handle(request, { nowMs: NOW_MS, check: () => 'ok' });
  return events[0]?.dedupeKey;
}

describe.each(modules)('$slug', (module) => {
  const { platform, sandbox, examples } = module;

  it('remembers ids for as long as it says', () => {
    expect(platform.dedup?.windowSec ?? 0).toBe(sandbox.dedupeWindowSec);
  });

  it('goes by the order id of purchases where it says so, and else by the id of the event', () => {
    const byOrder = platform.dedup?.purchasesByOrder;
    for (const { credentials: entered } of examples) {
      const credentials = platform.credentials.parse(entered);
      const key = (change: Partial<OutgoingEvent>) => keyOf(module, credentials, sampleEvent(change));
      const same = key({});
      expect(same, 'counts copies once').toBeDefined();
      expect(key({ dedupId: 'another' }) === same).toBe(byOrder?.(credentials) === true);
      expect(key({ orderId: 'another' }) === same).toBe(byOrder?.(credentials) !== true);
      // An order id that anybody may have guessed tells nothing.
      expect(key({ dedupId: 'another', noOrderDedup: true })).not.toBe(same);
    }
  });
});
