import { describe, expect, it } from 'vitest';
import { MESSAGE_MAX_CHARS, redactMessage } from './redact.ts';

describe('redactMessage', () => {
  it.each([
    ['Invalid email jane.doe+x@example.co.uk given', 'Invalid email [email] given'],
    ['phone +1 (650) 555-1212 is wrong', 'phone [phone] is wrong'],
    ['from 203.0.113.7', 'from [ip]'],
    ['from 2001:db8:0:0:1:2:3:4', 'from [ip]'],
    ['access_token=EAAB123 is bad', 'access_token=[secret] is bad'],
    ['{"api_secret":"s3cret","x":1}', '{"api_secret":"[secret]","x":1}'],
    ['Authorization: Bearer abc.def', 'Authorization: Bearer [secret]'],
    [`em ${'0af'.repeat(21)}0`, 'em [digest]'],
    [`token EAAB${'x'.repeat(40)}`, 'token [token]'],
    ['line\n\tone   two\u0000', 'line one two'],
    [
      'Error validating access token: Session has expired',
      'Error validating access token: Session has expired',
    ],
    [
      'event_time at 1795176000 is too old (code 100, subcode 2804003)',
      'event_time at 1795176000 is too old (code 100, subcode 2804003)',
    ],
  ])('%j becomes %j', (text, expected) => expect(redactMessage(text)).toBe(expected));

  it('cuts long messages and has nothing to say of empty ones', () => {
    const long = redactMessage('word '.repeat(1_000)) ?? '';
    expect(long.length).toBe(MESSAGE_MAX_CHARS);
    expect(long.endsWith('…')).toBe(true);
    expect(redactMessage('')).toBeUndefined();
    expect(redactMessage(' \n ')).toBeUndefined();
  });

  it('is quick on hostile text', () => {
    const startedMs = performance.now();
    for (const piece of ['a@', '@a', '1.', 'a:', '+1 ', 'token=', '"', 'access_token="'])
      redactMessage(piece.repeat(200_000));
    expect(performance.now() - startedMs).toBeLessThan(1_000);
  });
});
