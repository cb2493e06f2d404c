// Goal: a webhook that is not sent to says why, and a delivery what it ended with, in words and signs. Method: each state that
// the helpdesk answers.
import { describe, expect, it } from 'vitest';
import { answerOf, type Delivery, stateOf, type Webhook } from './webhook.tsx';

const AT = '2026-11-22T09:00:00.000Z';
const webhook = (given: Partial<Webhook>): Webhook => ({
  id: '0',
  url: 'https://example.com/',
  events: ['*'],
  description: null,
  active: true,
  disabled_reason: null,
  failing_since: null,
  last_success_at: null,
  last_failure_at: null,
  secret_hint: '…abcd',
  created_at: AT,
  updated_at: AT,
  ...given,
});
const off = (disabled_reason: Webhook['disabled_reason'], failing_since: string | null = null) =>
  webhook({ active: false, disabled_reason, failing_since });

describe('a webhook', () => {
  it.each([
    [webhook({}), '✔ Active', null],
    [webhook({ failing_since: AT }), '▲ Active, failing since', AT],
    [off('failing', AT), '✖ Disabled: failing since', AT],
    [off('failing'), '✖ Disabled: it was failing', null],
    [off('gone', AT), '✖ Disabled: its receiver answered 410, gone', null],
    [off('manual'), '– Disabled by hand', null],
  ])('says its state: %#', (given, said, since) => {
    const state = stateOf(given);
    expect([`${state.sign} ${state.words}`, state.since]).toEqual([said, since]);
  });
});

describe('a delivery', () => {
  const ended = (given: Partial<Delivery>) =>
    answerOf({ last_status: null, last_error: null, last_latency_ms: null, ...given } as Delivery);

  it.each([
    [ended({}), ''],
    [ended({ last_status: 200, last_latency_ms: 12 }), 'answered 200 in 12 ms'],
    [ended({ last_status: 503, last_error: 'http_503' }), 'answered 503'],
    [ended({ last_error: 'resting' }), 'put off: the receiver was down'],
    [ended({ last_error: 'connect_refused' }), 'connect refused'],
  ])('says what came back: %#', (said, expected) => {
    expect(said).toBe(expected);
  });
});
