import { describe, expect, it } from 'vitest';
import snapchat from '#lib/events/platforms/snapchat/index.ts';
import { asReceived } from '#test/platforms/as-received.ts';
import { sampleEvent } from '#test/support/sample-event.ts';
import { sandbox } from './sandbox.ts';

const given = {
  pixel_id: '5bf81ee1-15b1-4dc1-b636-d7dae49b950e',
  access_token: 'snap-sandbox-token',
};
const credentials = snapchat.credentials.parse(given);
const request = snapchat.buildRequest([sampleEvent()], credentials, { test: false });
const [good] = JSON.parse(request.body).data;

describe('the stand-in', () => {
  const send = (event: object) =>
    sandbox.handle(asReceived(request, { body: JSON.stringify({ data: [event] }) }), {
      nowMs: 1_795_176_000_000,
      check: () => 'ok',
    }).events[0];

  it.each([
    [{}, undefined],
    [{ event_name: 'Purchase' }, 'event_name is invalid'],
    [{ action_source: 'MOBILE_APP' }, 'app_data of MOBILE_APP needs 16 texts'],
    [{ event_time: '1795176000' }, 'event_time must be an integer'],
    [{ event_time: 1_795_176_000_000 }, undefined],
    [{ event_time: 1_795_176_000 - 38 * 86_400 }, 'event_time is older than 37 days'],
    [{ user_data: { em: ['jane@example.com'] } }, 'user_data.em must be hashed with SHA-256'],
    [{ user_data: { client_ip_address: '203.0.113.7' } }, /user_data needs/],
    [{ custom_data: { value: 1 } }, /PURCHASE requires/],
    [{ custom_data: { value: 1, currency: 'XXZ' } }, /ISO 4217/],
    [{ custom_data: { value: '1', currency: 'USD', contents: [{ quantity: 1 }] } }, /as strings/],
  ])('%j is answered with %s', (change, reason) => {
    const event = send({ ...good, ...change });
    expect(event?.accepted).toBe(reason === undefined);
    if (reason !== undefined) expect(event?.reason).toMatch(reason);
  });

  it('counts one event id of one pixel once, whatever it is called', () => {
    expect(send(good)?.dedupeKey).toBe(`${given.pixel_id}\norder-1001`);
    expect(send({ ...good, event_name: 'SAVE' })?.dedupeKey).toBe(`${given.pixel_id}\norder-1001`);
  });
});
