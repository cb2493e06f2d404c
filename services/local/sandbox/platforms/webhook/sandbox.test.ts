// The stand-in checks what a receiver has to: the signature over the very bytes, its age, and the shape of the event.
import { describe, expect, it } from 'vitest';
import platform from '#lib/events/platforms/webhook/index.ts';
import { asReceived } from '#test/platforms/as-received.ts';
import { examples } from '#test/platforms/webhook/examples.ts';
import { SAMPLE_TIME_SEC, sampleEvent } from '#test/support/sample-event.ts';
import { sandbox } from './sandbox.ts';

const entered = examples[0]?.credentials as Record<string, unknown>;
const credentials = platform.credentials.parse(entered);
const NOW_MS = SAMPLE_TIME_SEC * 1_000 + 60_000;
const request = platform.buildRequest([sampleEvent()], credentials, { test: false, nowMs: NOW_MS });

const sent = (changes: Partial<ReturnType<typeof asReceived>>, nowMs = NOW_MS) =>
  sandbox.handle(
    { ...asReceived(request), ...changes },
    { nowMs, check: () => 'ok', credentialsOf: () => entered },
  );

describe('the sandbox of Webhook', () => {
  it('takes what we send', () => {
    expect(sent({})).toMatchObject({ answer: { status: 204 }, events: [{ accepted: true }] });
  });

  it.each([
    ['another body', { body: request.body.replace('59.98', '0.98') }, NOW_MS],
    ['a space more in it', { body: `${request.body} ` }, NOW_MS],
    ['another id', { headers: { ...request.headers, 'webhook-id': 'msg_other' } }, NOW_MS],
    ['another time', { headers: { ...request.headers, 'webhook-timestamp': '1795176061' } }, NOW_MS],
    ['no signature', { headers: { ...request.headers, 'webhook-signature': '' } }, NOW_MS],
    ['an old request', {}, NOW_MS + 301_000],
    ['one of tomorrow', {}, NOW_MS - 86_400_000],
  ])('refuses %s', (_what, changes, nowMs) => {
    expect(sent(changes, nowMs)).toMatchObject({ answer: { status: 401 }, events: [{ accepted: false }] });
  });
});
