import { describe, expect, it } from 'vitest';
import pinterest from '#lib/events/platforms/pinterest/index.ts';
import { asReceived } from '#test/platforms/as-received.ts';
import { sampleEvent } from '#test/support/sample-event.ts';
import { sandbox } from './sandbox.ts';

const credentials = pinterest.credentials.parse({
  ad_account_id: '549757463328',
  access_token: 'pina_sandbox_token',
});
const request = pinterest.buildRequest([sampleEvent()], credentials, { test: false });
const [good] = JSON.parse(request.body).data;

describe('the stand-in', () => {
  const send = (change: object) =>
    sandbox.handle(asReceived(request, { body: JSON.stringify({ data: [{ ...good, ...change }] }) }), {
      nowMs: 1_795_176_000_000,
      check: () => 'ok',
    });

  it.each([
    [{}, 200, undefined],
    [{ event_name: 'a purchase' }, 422, /not supported/],
    [{ action_source: 'shop' }, 422, /not supported/],
    [{ event_time: 1_795_176_000 - 8 * 86_400 }, 422, /older than 7 days/],
    [{ user_data: { em: ['jane@example.com'] } }, 422, /SHA-256/],
    [{ user_data: { click_id: 'x' } }, 422, /user_data needs/],
    [{ custom_data: { value: '1,00' } }, 422, /not a number/],
    [{ custom_data: { value: '1', currency: 'XXZ' } }, 422, /ISO 4217/],
    [{ unknown_key: 1 }, 400, /with its batch/],
  ])('%j is answered with %i', (change, status, reason) => {
    const { answer, events } = send(change);
    expect(answer.status).toBe(status);
    expect(events[0]?.accepted).toBe(reason === undefined);
    if (reason !== undefined) expect(events[0]?.reason).toMatch(reason);
  });

  it('does not compare what took place offline', () => {
    expect(send({}).events[0]?.dedupeKey).toBe('549757463328\ncheckout\norder-1001');
    expect(send({ action_source: 'offline' }).events[0]?.dedupeKey).toBeUndefined();
  });
});
