import { describe, expect, it } from 'vitest';
import type { Connection } from '#lib/events/domain/connections/connection.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { acceptedRow, freshMerchant, normalizedRow, T0 } from '#test/conformance/stores/event-rows.ts';
import { createVerdictReader, explain } from './verdicts.ts';

const CONNECTION: Connection = {
  id: 'c',
  merchantId: 'm',
  platform: 'meta',
  name: 'Meta',
  status: 'active',
  createdAtMs: T0,
  updatedAtMs: T0,
  sealedCredentials: '',
  revision: 1,
  sinceVersion: 1,
};
const browser = () =>
  normalizedRow(acceptedRow({ merchantId: freshMerchant(), channel: 'browser', eventId: 'order-1' }));
const meta = (row: ReturnType<typeof browser>) => {
  const verdict = createVerdictReader(PLATFORMS, [CONNECTION])
    .read(row)
    .find(({ platform }) => platform.slug === 'meta');
  if (verdict === undefined) throw new Error('no verdict');
  return { code: verdict.code, words: explain(verdict) };
};

describe('the words for a browser event', () => {
  it('that waits for its server copy say until when', () => {
    const untilMs = T0 + 120_000;
    expect(meta({ ...browser(), heldUntilMs: untilMs, dueAtMs: untilMs })).toEqual({
      code: 'pending',
      words: 'The event waits for its server copy until 2026-11-20T12:02:00.000Z, and yields to it.',
    });
  });

  it('that yielded say to what', () => {
    expect(meta({ ...browser(), verdicts: { meta: 'server_copy' } })).toEqual({
      code: 'server_copy',
      words: expect.stringContaining('yielded to its server copy'),
    });
  });

  it('that was released are those of any other', () => {
    expect(meta(browser())).toEqual({ code: 'pending', words: 'The delivery waits for its first attempt.' });
  });
});
