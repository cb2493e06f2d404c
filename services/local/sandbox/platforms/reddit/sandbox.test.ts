import { describe, expect, it } from 'vitest';
import reddit from '#lib/events/platforms/reddit/index.ts';
import { asReceived } from '#test/platforms/as-received.ts';
import { SAMPLE_TIME_SEC, sampleEvent } from '#test/support/sample-event.ts';
import { sandbox } from './sandbox.ts';

const credentials = reddit.credentials.parse({
  pixel_id: 'a2_abc123def',
  access_token: 'reddit-sandbox-token',
});
const request = reddit.buildRequest([sampleEvent()], credentials, { test: false });
const [good] = JSON.parse(request.body).data.events;

describe('the stand-in', () => {
  const send = (change: object) => {
    const body = JSON.stringify({ data: { events: [{ ...good, ...change }] } });
    const context = { nowMs: SAMPLE_TIME_SEC * 1_000, check: () => 'ok' as const };
    return sandbox.handle(asReceived(request, { body }), context);
  };

  it.each([
    [{}, undefined],
    [{ event_at: SAMPLE_TIME_SEC }, /less than 168h0m0s old/],
    [{ event_at: '2026-11-20T12:00:00Z' }, /must be an integer/],
    [{ event_at: (SAMPLE_TIME_SEC + 301) * 1_000 }, /in the future/],
    [{ action_source: 'website' }, /action_source is invalid/],
    [{ type: { tracking_type: 'Purchase' } }, /tracking_type is invalid/],
    [{ type: { tracking_type: 'PURCHASE', custom_event_name: 'x' } }, /must be a Custom event/],
    [{ type: { tracking_type: 'CUSTOM' } }, /1 to 64 characters/],
    [{ type: { tracking_type: 'CUSTOM', custom_event_name: 'x'.repeat(65) } }, /1 to 64 characters/],
    [{ user: { uuid: '1700000000.abcd-uuid' } }, /RFC-4122/],
    [{ user: { email: 'a'.repeat(63) } }, /not a SHA-256/],
    [{ user: { ip_address: '203.0.113.7' } }, /match key/],
    [{ metadata: { value: '1' } }, /must be a number/],
    [{ metadata: { value: 1, currency: 'XXZ' } }, /ISO 4217/],
    [{ metadata: { item_count: 1.5 } }, /integer/],
    [{ metadata: { products: [{ quantity: 0.5 }] } }, /must be numbers/],
  ])('%j is answered with %s', (change, reason) => {
    const { answer, events } = send(change);
    expect(answer.status).toBe(reason === undefined ? 200 : 400);
    if (reason !== undefined) expect(events[0]?.reason).toMatch(reason);
    if (reason !== undefined) expect(answer.body).toContain('$.data.events[0].');
  });

  it('compares events of one kind and channel only', () => {
    const key = (change: object) => send(change).events[0]?.dedupeKey;
    expect(key({})).toBe('a2_abc123def\nWEBSITE\nPURCHASE\nPURCHASE\norder-1001');
    expect(key({ type: { tracking_type: 'CUSTOM', custom_event_name: 'PURCHASE' } })).not.toBe(key({}));
    expect(key({ action_source: 'APP' })).not.toBe(key({}));
  });
});
