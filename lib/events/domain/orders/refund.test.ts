// Goal: whatever refunds of an order come, in any sequence and repeated at will, each is taken once and all together take back no
// more than the order was worth.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KnownRefund, REFUNDS_MAX, type RefundReport, refund } from './refund.ts';

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
