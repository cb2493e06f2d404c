// Promise: no code of ours stands in a sentence for a person.
import { describe, expect, it } from 'vitest';
import type { HttpResult } from '../events/platforms/platform.ts';
import { reasonWords } from './reason-words.ts';

/** Every one the transport knows: another one does not compile. */
const LINE_FAILURES: Readonly<Record<Extract<HttpResult, { readonly kind: 'failure' }>['code'], true>> = {
  timeout: true,
  reset: true,
  refused: true,
  dns: true,
  tls: true,
  blocked: true,
  aborted: true,
  other: true,
};

describe('a reason', () => {
  it.each([
    ['circuit_open', 'the platform does not take events at the moment'],
    ['platform_limit', 'held back by the platform’s limit; it goes out as fast as that allows'],
    ['connection_paused:auth', 'the connection is paused (the platform refuses the credentials)'],
    ['connection_paused:manual', 'the connection is paused (a person paused it)'],
    ['too_old:604800s', 'it is older than the platform accepts (7 days)'],
    ['consent_denied:ad_user_data', 'consent was denied (ad_user_data)'],
    ['http_502', 'the answer was 502'],
    ['pinterest.failed', 'the platform said “failed”'],
    ['meta.100.2804003', 'the platform said “100.2804003”'],
    ['constructor', 'the platform said “constructor”'],
    ['timeout', 'no answer came in time'],
  ])('%s is in words', (reason, words) => {
    expect(reasonWords(reason)).toBe(words);
  });

  it.each(Object.keys(LINE_FAILURES))('of the line is in words: %s', (code) => {
    expect(reasonWords(code)).not.toMatch(/[“_]/);
  });
});
