import { describe, expect, it } from 'vitest';
import platform from '#lib/events/platforms/openai-ads/index.ts';
import { asReceived } from '#test/platforms/as-received.ts';
import { examples } from '#test/platforms/openai-ads/examples.ts';
import { SAMPLE_TIME_SEC, sampleEvent } from '#test/support/sample-event.ts';
import { sandbox } from './sandbox.ts';

const credentials = platform.credentials.parse(examples[0]?.credentials);
const NOW_MS = SAMPLE_TIME_SEC * 1_000 + 60_000;

/** What the sandbox says of a request that was changed on its way. */
function refusalOf(change: (event: Record<string, unknown>) => object): string | undefined {
  const request = platform.buildRequest([sampleEvent()], credentials, { test: false });
  const body = JSON.parse(request.body) as { events: Record<string, unknown>[] };
  const changed = JSON.stringify({ ...body, events: body.events.map(change) });
  const reply = sandbox.handle(asReceived(request, { body: changed }), { nowMs: NOW_MS, check: () => 'ok' });
  return reply.events[0]?.reason;
}

describe('the sandbox of OpenAI Ads', () => {
  it('takes what we send', () => {
    expect(refusalOf((event) => event)).toBeUndefined();
  });

  it.each<[string, object, RegExp]>([
    ['a telephone number', { user: { phone_number_sha256: 'a'.repeat(64) } }, /phone_number_sha256/],
    ['an old event', { timestamp_ms: NOW_MS - 7 * 86_400_001 }, /7 days/],
    ['an event of tomorrow', { timestamp_ms: NOW_MS + 86_400_000 }, /ahead/],
    ['an amount of money', { data: { type: 'contents', amount: 59.98, currency: 'USD' } }, /amount/],
    ['an amount without currency', { data: { type: 'contents', amount: 5_998 } }, /currency/],
    ['data of another event', { type: 'lead_created' }, /data.type/],
    ['a name for an event that has one', { custom_event_name: 'order' }, /custom_event_name/],
    [
      'a custom event under a name of theirs',
      { type: 'custom', custom_event_name: 'custom', data: { type: 'custom' } },
      /built-in/,
    ],
    ['an app’s event of a page', { type: 'app_opened', data: { type: 'customer_action' } }, /mobile_app/],
    ['an event of a page without one', { source_url: undefined }, /source_url/],
    ['an event without id', { id: undefined }, /id/],
  ])('refuses %s', (_what, change, reason) => {
    expect(refusalOf((event) => ({ ...event, ...change }))).toMatch(reason);
  });
});
