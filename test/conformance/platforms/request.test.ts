// Every request any platform builds: complete, exact, without secrets to show, and accepted by the platform's own sandbox.
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVENT_NAMES } from '#lib/events/domain/event/names.ts';
import type { OutgoingEvent } from '#lib/events/domain/privacy/outgoing-event.ts';
import { isDecimal } from '#lib/events/platforms/json-body.ts';
import { MASK, maskSecrets } from '#lib/events/platforms/mask.ts';
import { needsToken } from '#lib/events/platforms/platform.ts';
import { asReceived, parsedBody } from '#test/platforms/as-received.ts';
import { SAMPLE_HASHED, sampleEvent, sha256 } from '#test/support/sample-event.ts';
import { arbitraryEvent, arbitraryMoney, minorOf } from './arbitrary-event.ts';
import { CALLER, loadPlatformModules, NOW_MS, type PlatformModule } from './platform-modules.ts';

const modules = await loadPlatformModules();
const RUNS = { numRuns: 150, seed: 42 };
const CONTEXT = { nowMs: NOW_MS, check: () => 'ok' as const };

/** An amount that occurs in no other part of a request; every currency takes it. */
const MARKED_AMOUNT = '918273645';

function credentialsOf({ platform, examples }: PlatformModule): unknown {
  return platform.credentials.parse(examples[0].credentials);
}

/** Sendable events of one group, each with an id of its own. */
function oneGroup(module: PlatformModule, events: readonly OutgoingEvent[]): readonly OutgoingEvent[] {
  const credentials = credentialsOf(module);
  const distinct = events.map((event, i) => ({ ...event, dedupId: `${event.dedupId}-${i}` }));
  const sendable = distinct.filter((event) => module.platform.unsendable(event, credentials) === null);
  const key = (event: OutgoingEvent): string => module.platform.groupKey?.(event, credentials) ?? '';
  const [first] = sendable;
  return first === undefined ? [] : sendable.filter((event) => key(event) === key(first));
}

function emptyParts(value: unknown, path = '$'): readonly string[] {
  if (value === null || value === undefined || value === '') return [path];
  if (typeof value !== 'object') return [];
  const entries = Object.entries(value);
  if (entries.length === 0) return [path];
  return entries.flatMap(([key, part]) => emptyParts(part, `${path}.${key}`));
}

describe.each(modules)('a request to $slug', (module) => {
  const { platform, examples, sandbox, expected } = module;

  it.each(examples)('is as in the example: $title', ({ events, credentials, context, request }) => {
    const built = platform.buildRequest(events, platform.credentials.parse(credentials), context);
    expect(built.method).toBe(request.method ?? 'POST');
    expect(built.url).toBe(request.url);
    expect(built.headers).toEqual(request.headers);
    expect(parsedBody(built.body)).toEqual(request.body);
    if (built.packed !== undefined) expect(gunzipSync(built.packed).toString()).toBe(built.body);
  });

  it.each(examples)('means what the example says: $title', ({ events, response, outcomes }) => {
    expect(platform.readResponse(response, events)).toEqual(outcomes);
  });

  it('is taken by the sandbox whatever sendable events it holds, with nothing empty in it', () => {
    let checked = 0;
    const credentials = credentialsOf(module);
    const testable = platform.testable?.(credentials) ?? true;
    fc.assert(
      fc.property(fc.array(arbitraryEvent, { minLength: 1, maxLength: 8 }), fc.boolean(), (drawn, test) => {
        const events = oneGroup(module, drawn).slice(0, platform.limits.batchSizeMax);
        if (events.length === 0) return;
        checked += events.length;
        const request = platform.buildRequest(events, credentials, {
          ...CALLER,
          test: test && testable,
        });
        expect(emptyParts(parsedBody(request.body))).toEqual([]);
        const reply = sandbox.handle(asReceived(request), CONTEXT);
        expect(reply.events.map(({ accepted, reason }) => ({ accepted, reason }))).toEqual(
          events.map(() => ({ accepted: true, reason: undefined })),
        );
        expect(reply.events.map(({ eventId }) => eventId)).toEqual(
          events.map(({ dedupId }) => [...dedupId].slice(0, 100).join('')),
        );
        const result = { kind: 'response' as const, ...reply.answer };
        expect(platform.readResponse(result, events).map(({ kind }) => kind)).toEqual(
          events.map(() => 'delivered'),
        );
      }),
      RUNS,
    );
    expect(checked).toBeGreaterThan(RUNS.numRuns / 2);
  });

  it('says for any event whether it can be sent, and never throws', () => {
    fc.assert(
      fc.property(arbitraryEvent, (event) => {
        const answer = platform.unsendable(event);
        if (answer === null) return;
        expect(answer.detail).not.toBe('');
        expect(['invalid', 'unmapped', 'too_old', 'consent_denied', 'not_taken_back']).toContain(
          answer.verdict,
        );
      }),
      RUNS,
    );
  });

  it('carries amounts digit for digit', () => {
    const bodyWith = (value: string, currency: string): string => {
      // One piece, so that the cost of the line is the price; no order id, which some carry as a value among others.
      const { orderId: _orderId, ...event } = sampleEvent({ value, currency });
      const events = [{ ...event, items: [{ id: 'a', quantity: '1', price: value }] }];
      return platform.buildRequest(events, credentialsOf(module), CALLER).body;
    };
    fc.assert(
      fc.property(arbitraryMoney, ({ value, currency }) => {
        expect(isDecimal(value)).toBe(true);
        const marked = bodyWith(MARKED_AMOUNT, currency);
        const isMinor = expected.money.valueForm === 'minor';
        const digits = (text: string): string => (isMinor ? minorOf(text, currency) : text);
        expect(marked).toContain(digits(MARKED_AMOUNT));
        expect(bodyWith(value, currency)).toBe(marked.replaceAll(digits(MARKED_AMOUNT), digits(value)));
      }),
      RUNS,
    );
  });

  it('refuses an amount that is not a decimal instead of guessing one, and one without currency', () => {
    for (const value of ['1e5', '1,00', '-1', ' 1', '', '01', 'NaN', '1.'])
      expect(platform.unsendable(sampleEvent({ value }))).toEqual({ verdict: 'invalid', detail: 'value' });
    const { currency: _left, ...bare } = sampleEvent();
    expect(platform.unsendable(bare)).toEqual({ verdict: 'invalid', detail: 'currency' });
  });

  it('is for no event the platform has no name for', () => {
    for (const name of EVENT_NAMES)
      if (platform.eventNames[name] === null)
        expect(platform.unsendable(sampleEvent({ name }))).toEqual(
          name === 'Refund'
            ? { verdict: 'not_taken_back', detail: 'no_way' }
            : { verdict: 'unmapped', detail: name },
        );
  });

  it('passes digests on as they are', () => {
    const foreign = sha256('digest made elsewhere');
    const hashed = Object.fromEntries(
      Object.entries(SAMPLE_HASHED).map(([key, digest]) => [
        key,
        Array.isArray(digest) ? [foreign] : foreign,
      ]),
    );
    const { body } = platform.buildRequest([sampleEvent({ hashed })], credentialsOf(module), CALLER);
    // Who takes plain values has no use for a digest.
    if (platform.sealedFields.includes('email')) expect(body).not.toContain(foreign);
    else expect(body).toContain(foreign);
  });

  it('can be shown without its secrets', () => {
    const credentials = credentialsOf(module) as Record<string, unknown>;
    const secret = needsToken(platform, credentials, [])
      ? CALLER.accessToken
      : sandbox.login(credentials).secret;
    const request = platform.buildRequest([sampleEvent()], credentials, CALLER);
    expect(JSON.stringify([request.url, request.headers, request.body])).toContain(secret);
    expect(request.secrets).toContain(secret);
    const shown = JSON.stringify(maskSecrets(request));
    expect(shown).not.toContain(secret);
    expect(shown).toContain(MASK);
  });

  it('is a test only where a test does not count', () => {
    const credentials = credentialsOf(module) as Record<string, unknown>;
    const asTest = { ...CALLER, test: true };
    if (platform.testable?.(credentials) === false)
      return expect(() => platform.buildRequest([sampleEvent()], credentials, asTest)).toThrow(RangeError);
    const test = platform.buildRequest([sampleEvent()], credentials, asTest);
    expect(sandbox.handle(asReceived(test), CONTEXT).events).toMatchObject([{ test: true, accepted: true }]);
    const live = platform.buildRequest([sampleEvent()], credentials, CALLER);
    expect(sandbox.handle(asReceived(live), CONTEXT).events).toMatchObject([{ test: false, accepted: true }]);
    for (const field of Object.keys(credentials)) {
      const { [field]: _left, ...without } = credentials;
      const parsed = platform.credentials.safeParse(without);
      if (!parsed.success || platform.testable?.(parsed.data) !== false) continue;
      expect(() => platform.buildRequest([sampleEvent()], parsed.data, asTest)).toThrow(RangeError);
    }
  });

  it('goes to a host the sandbox answers for', () => {
    const request = platform.buildRequest([sampleEvent()], credentialsOf(module), CALLER);
    expect(sandbox.hosts).toContain(new URL(request.url).host);
  });

  it('carries as many events as the platform takes, and the sandbox refuses one more', () => {
    const max = platform.limits.batchSizeMax;
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) =>
        sampleEvent({ dedupId: `o-${i}`, orderId: `${i}`, customData: {} }),
      );
    const send = (count: number) =>
      sandbox.handle(asReceived(platform.buildRequest(many(count), credentialsOf(module), CALLER)), CONTEXT);
    expect(send(max).events.filter(({ accepted }) => accepted)).toHaveLength(max);
    if (max === 1) return expect(() => send(2)).toThrow(RangeError);
    expect(send(max + 1).events.filter(({ accepted }) => accepted)).toHaveLength(0);
  });
});
