// Goal: whatever refunds of an order come, in any sequence and repeated at will, each is taken once and all together take back no
// more than the order was worth.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type KnownRefund,
  REFUNDS_MAX,
  type RefundReport,
  refund,
  takenEarly,
  type WaitingRefund,
  wait,
  withEarly,
} from './refund.ts';

const ORDER = { amount: 'EUR 59.98' };
const of = (
  eventId: string,
  value?: string,
  currency = 'EUR',
  ingestId = `ingest of ${eventId}`,
): RefundReport => ({
  ...{ eventId, ingestId },
  ...(value === undefined ? {} : { value, currency }),
});

function all(order: { readonly amount?: string }, reports: readonly RefundReport[]) {
  let refunds: readonly KnownRefund[] = [];
  const decisions = reports.map((own) => {
    const after = refund({ ...order, refunds }, own);
    refunds = after.refunds;
    return [after.decision.minor, after.decision.state];
  });
  return { refunds, decisions };
}

describe('a refund', () => {
  it.each<[string, RefundReport[], [string, string]]>([
    ['takes back a part', [of('r', '10')], ['1000', 'applied']],
    ['takes back the whole', [of('r', '59.98')], ['5998', 'applied']],
    ['without a value takes back what is left', [of('a', '10'), of('b')], ['4998', 'applied']],
    ['of more than was left takes back what was left', [of('a', '50'), of('b', '50')], ['998', 'reduced']],
    ['of nothing that is left takes nothing back', [of('a'), of('b', '1')], ['0', 'reduced']],
    ['is known by its event id', [of('a', '10'), of('a', '10', 'EUR', 'another')], ['0', 'repeated']],
    ['comes once more as it was', [of('a', '50'), of('b', '50'), of('a', '50')], ['5000', 'applied']],
    ['in another currency is refused', [of('a', '10', 'USD')], ['0', 'refused']],
    [
      'is taken once it is right, though its id was refused',
      [of('a', '10', 'USD'), of('a', '10', 'EUR', 'another')],
      ['1000', 'applied'],
    ],
  ])('%s', (_, reports, expected) => {
    expect(all(ORDER, reports).decisions.at(-1)).toEqual(expected);
  });

  it.each([[undefined], ['1']])(
    'of %s takes nothing back where the order is worth less than is gone',
    (value) => {
      // A page said 59.98, and 50 were taken back of it, before a server said what it was worth.
      const { refunds } = all(ORDER, [of('a', '50')]);
      expect(refund({ amount: 'EUR 20', refunds }, of('b', value)).decision.minor).toBe('0');
    },
  );

  it('of an order of unknown worth is taken by its own', () => {
    expect(all({}, [of('a', '10'), of('b', '7', 'JPY'), of('c')]).decisions).toEqual([
      ['1000', 'applied'],
      ['7', 'applied'],
      ['0', 'refused'],
    ]);
  });

  it(`is refused above ${REFUNDS_MAX} of one order, and no more are kept`, () => {
    const { refunds, decisions } = all(
      ORDER,
      Array.from({ length: 150 }, (_, i) => of(`r${i}`, '0.01')),
    );
    expect(refunds).toHaveLength(REFUNDS_MAX);
    expect(decisions.at(-1)).toEqual(['0', 'refused']);
  });
});

it('never takes back more than the order, and the same for an event as often as it comes', () => {
  const drawn = fc.record({
    id: fc.constantFrom('a', 'b', 'c', '__proto__'),
    cents: fc.option(fc.nat(9_000)),
  });
  fc.assert(
    fc.property(fc.array(drawn, { maxLength: 12 }), (drawn) => {
      const reports = drawn.map(({ id, cents }) =>
        of(id, cents === null ? undefined : (cents / 100).toFixed(2)),
      );
      const { refunds, decisions } = all(ORDER, reports);
      expect(refunds.reduce((sum, { minor }) => sum + Number(minor), 0)).toBeLessThanOrEqual(5_998);
      for (const [i, { ingestId }] of reports.entries())
        expect(decisions[i]).toEqual(decisions[reports.findIndex((each) => each.ingestId === ingestId)]);
    }),
  );
});

/** The order with refunds of which the first came before it. */
function refundedAround(order: { readonly amount?: string }, early: RefundReport[], late: RefundReport[]) {
  let waiting: readonly WaitingRefund[] = [];
  const states = early.map((own) => {
    const after = wait(waiting, own, 0);
    waiting = after.waiting;
    return after.state;
  });
  let { refunds = [] } = withEarly<{ amount?: string; refunds?: readonly KnownRefund[] }>(order, waiting);
  for (const own of late) refunds = refund({ ...order, refunds }, own).refunds;
  return { states, waiting, refunds };
}

describe('a refund before its order', () => {
  it.each<[string, RefundReport[], [string, string][]]>([
    ['is taken by it', [of('r', '10')], [['1000', 'applied']]],
    [
      'takes back no more than its value',
      [of('a', '50'), of('b', '50')],
      [
        ['5000', 'applied'],
        ['998', 'reduced'],
      ],
    ],
    [
      'without a value takes back what is left',
      [of('a', '10'), of('b')],
      [
        ['1000', 'applied'],
        ['4998', 'applied'],
      ],
    ],
    [
      'is taken once',
      [of('a', '10'), of('a', '10', 'EUR', 'x'), of('a', undefined, 'EUR', 'y')],
      [
        ['1000', 'applied'],
        ['0', 'repeated'],
      ],
    ],
    ['in another currency is refused', [of('a', '10', 'USD')], [['0', 'refused']]],
    [
      'is taken once it is right, in another currency before or after',
      [of('a', '10', 'USD'), of('a', '10', 'EUR', 'x'), of('a', '7', 'JPY', 'y')],
      [
        ['0', 'refused'],
        ['1000', 'applied'],
        ['0', 'repeated'],
      ],
    ],
  ])('%s', (_, early, expected) => {
    expect(refundedAround(ORDER, early, []).refunds.map(({ minor, state }) => [minor, state])).toEqual(
      expected,
    );
  });

  it(`is refused above ${REFUNDS_MAX} of one order`, () => {
    const many = Array.from({ length: 150 }, (_, i) => of(`r${i}`, '0.01'));
    const { states, waiting, refunds } = refundedAround(ORDER, many, []);
    expect([states.at(99), states.at(100), waiting.length, refunds.length]).toEqual([
      'waiting',
      'refused',
      100,
      100,
    ]);
    expect(takenEarly({ ...ORDER, refunds })).toEqual({ EUR: { orders: 100, minor: '100' } });
  });

  it('takes back what a page of another value kept from it, beside what came since', () => {
    const { refunds } = refundedAround({ amount: 'EUR 0.01' }, [of('a', '10'), of('b', '30')], [of('c')]);
    expect(takenEarly({ amount: 'EUR 0.01', refunds })).toEqual({ EUR: { orders: 1, minor: '1' } });
    expect(takenEarly(withEarly({ ...ORDER, refunds }))).toEqual({ EUR: { orders: 2, minor: '4000' } });
    expect(takenEarly(withEarly({ amount: 'EUR 12', refunds }))).toEqual({
      EUR: { orders: 2, minor: '1200' },
    });
  });

  it('of an order of unknown worth is taken by its own', () => {
    const { refunds } = refundedAround({}, [of('a', '10'), of('b', '7', 'JPY'), of('c')], []);
    expect(takenEarly({ refunds })).toEqual({
      EUR: { orders: 1, minor: '1000' },
      JPY: { orders: 1, minor: '7' },
    });
  });

  it('takes back with the others what they would all take back after it', () => {
    const drawn = fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd', '__proto__'),
      cents: fc.option(fc.nat(9_000)),
      currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'USD'),
    });
    fc.assert(
      fc.property(fc.array(drawn, { maxLength: 10 }), fc.nat(10), (drawn, split) => {
        const all = drawn.map(({ id, cents, currency }, i) =>
          of(id, cents === null ? undefined : (cents / 100).toFixed(2), currency, `ingest ${i}`),
        );
        const takenOf = (refunds: readonly KnownRefund[]) =>
          refunds.filter(({ minor }) => minor !== '0').map(({ ingestId, minor }) => [ingestId, minor]);
        const around = refundedAround(ORDER, all.slice(0, split), all.slice(split));
        expect(takenOf(around.refunds)).toEqual(takenOf(refundedAround(ORDER, [], all).refunds));
      }),
    );
  });
});
