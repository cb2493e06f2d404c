// What a vendor's errors mean: every line of a platform's table is expected by name, and every expectation holds for the
// answer as the vendor words it.
import { describe, expect, it } from 'vitest';
import type { Outcome } from '#lib/events/domain/deliveries/delivery.ts';
import {
  type ErrorKind,
  errorKind,
  errorRow,
  errorTable,
  STATUS_ERRORS,
} from '#lib/events/platforms/error-table.ts';
import { sampleEvent } from '#test/support/sample-event.ts';
import { loadPlatformModules } from './platform-modules.ts';

const modules = await loadPlatformModules();

/** What becomes of the only event of a request. */
const ALONE: Readonly<Record<ErrorKind, Pick<Outcome, 'kind' | 'maybeDelivered'>>> = {
  delivered: { kind: 'delivered' },
  duplicate: { kind: 'duplicate' },
  rate_limited: { kind: 'rate_limited' },
  auth: { kind: 'auth' },
  event_refused: { kind: 'permanent' },
  setting_refused: { kind: 'retry' },
  retry: { kind: 'retry' },
  maybe_delivered: { kind: 'retry', maybeDelivered: true },
};

const [one, two] = [sampleEvent({ dedupId: 'e-1' }), sampleEvent({ dedupId: 'e-2' })];

describe.each(modules)('$slug', ({ platform, expected }) => {
  const { body } = expected.errors;
  const answers = expected.errors.answers.flatMap(([status, codes, kind]) =>
    codes.map((code) => [status, code ?? undefined, kind] as const),
  );
  const answer = (status: number, text: string) =>
    ({ kind: 'response', status, headers: {}, body: text }) as const;

  it.each(answers)('%i with %s is %s', (status, code, kind) => {
    const worded = body(status, code);
    const text = typeof worded === 'string' ? worded : JSON.stringify(worded);
    const read = (events: readonly (typeof one)[]) =>
      platform.readResponse(answer(status, text), events).map(({ kind: outcome, maybeDelivered }) => ({
        kind: outcome,
        ...(maybeDelivered === undefined ? {} : { maybeDelivered }),
      }));
    expect(read([one])).toEqual([ALONE[kind]]);
    if (kind === 'setting_refused' || kind === 'auth') expect(read([one, two])[0]).toEqual(ALONE[kind]);
    if (kind === 'event_refused' && platform.limits.allOrNothing)
      expect(read([one, two])[0]?.kind).toBe('batch_refused');
  });

  it('has an expectation for every line of its table, and no line that never decides', () => {
    const decided = new Set(
      answers.map(([status, code]) => errorRow(platform.errors, { status, codes: [code] })),
    );
    expect(platform.errors.filter((row) => !decided.has(row))).toEqual([]);
  });

  it.each([
    [401, 'retry'],
    [403, 'retry'],
    [400, 'retry'],
    [429, 'rate_limited'],
    [500, 'retry'],
    [503, 'retry'],
  ])('leaves status %i without a body to the shared table', (status, kind) => {
    expect(platform.readResponse(answer(status, ''), [one]).map((outcome) => outcome.kind)).toEqual([kind]);
  });
});

describe('the shared table', () => {
  it('has a line for every status', () => {
    for (let status = 100; status < 600; status += 1)
      expect(errorKind(STATUS_ERRORS, { status })).toBeDefined();
  });

  it('reads classes, ranges, presence and absence', () => {
    const table = errorTable([
      ['5xx', '*', 'retry'],
      ['*', ['200-299', 310], 'auth'],
      [409, '+', 'duplicate'],
    ]);
    expect(errorKind(table, { status: 503 })).toBe('retry');
    expect(errorKind(table, { status: 400, codes: [250] })).toBe('auth');
    expect(errorKind(table, { status: 400, codes: ['x', 299] })).toBe('auth');
    expect(errorKind(table, { status: 400, codes: ['299-300'] })).toBeUndefined();
    expect(errorKind(table, { status: 400, codes: [310] })).toBe('auth');
    expect(errorKind(table, { status: 409, codes: [300] })).toBe('duplicate');
    expect(errorKind(table, { status: 409 })).toBeUndefined();
  });
});
