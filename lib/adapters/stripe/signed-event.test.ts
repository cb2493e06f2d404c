// Goal: only events of Stripe are accepted. Method: events signed by Stripe's own library, then each part of them
// spoiled.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ANY_CHARACTER } from '#test/support/any-character.ts';
import { signed, WEBHOOK_SECRET } from '#test/support/stripe/fake.ts';
import { readSignedEvent, SIGNATURE_TOLERANCE_SEC } from './signed-event.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const EVENT = {
  id: 'evt_1',
  type: 'invoice.paid',
  data: { object: { object: 'invoice', id: 'in_1', customer: 'cus_1' } },
};
const { body, signature } = signed(EVENT, NOW);
const read = (bytes: string | Uint8Array, header: string | undefined, nowMs = NOW) =>
  readSignedEvent(Buffer.from(bytes), header, WEBHOOK_SECRET, nowMs);
const [time = '', v1 = ''] = signature.split(',');

describe('a signed event', () => {
  it('is read as what it is and whose', () => {
    expect(read(body, signature)).toEqual({
      id: 'evt_1',
      type: 'invoice.paid',
      customerId: 'cus_1',
      invoiceId: 'in_1',
    });
  });

  it.each([
    [{ object: 'customer', id: 'cus_2' }, 'cus_2'],
    [{ object: 'subscription', id: 'sub_1', customer: { id: 'cus_3', object: 'customer' } }, 'cus_3'],
    [{ object: 'payout', id: 'po_1' }, null],
    [{ object: 'charge', id: 'ch_1', customer: null }, null],
  ])('about %j is of customer %s', (object, customerId) => {
    const sent = signed({ ...EVENT, data: { object } }, NOW);
    expect(read(sent.body, sent.signature)?.customerId).toBe(customerId);
  });

  it('of a connected account is of nobody', () => {
    const sent = signed({ ...EVENT, account: 'acct_1' }, NOW);
    expect(read(sent.body, sent.signature)?.customerId).toBeNull();
  });

  it('counts for five minutes and not a second longer', () => {
    expect(read(body, signature, NOW + SIGNATURE_TOLERANCE_SEC * 1_000)).not.toBeNull();
    expect(read(body, signature, NOW + (SIGNATURE_TOLERANCE_SEC + 1) * 1_000)).toBeNull();
  });

  it('may be signed by two secrets while one replaces the other, and in schemes that are not known', () => {
    const other = signed(EVENT, NOW, 'whsec_other').signature.split(',')[1] ?? '';
    for (const header of [`${time},${other},${v1}`, `${time},${v1},${other}`, `${time},v0=aa,${v1},v2=`])
      expect(read(body, header), header).not.toBeNull();
  });
});

describe('what is refused', () => {
  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['no time', v1],
    ['no signature', time],
    ['a time that is none', `t=now,${v1}`],
    ['another time', `t=${NOW / 1_000 - 1},${v1}`],
    ['two times', `${time},t=${NOW / 1_000 + 1},${v1}`],
    ['another scheme only', `${time},${v1.replace('v1', 'v0')}`],
    ['a scheme without value', `${time},v1`],
    ['letters of two bytes', `${time},v1=${'é'.repeat(64)}`],
    ['upper case', `${time},${v1.toUpperCase().replace('V1', 'v1')}`],
    ['a cut signature', `${time},${v1.slice(0, -1)}`],
    ['another secret', signed(EVENT, NOW, 'whsec_other').signature],
    ['another body', signed({ ...EVENT, id: 'evt_2' }, NOW).signature],
    ['a header without end', `${time},${'v1=aa,'.repeat(600)}`],
  ])('%s', (_what, header) => {
    expect(read(body, header)).toBeNull();
  });

  it('a body that was cut, read and written again, or changed by any byte', () => {
    const bytes = Buffer.from(body);
    expect(read(JSON.stringify(EVENT), signature)).toBeNull();
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 127 }), (at, by) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ by;
        expect(read(changed, signature)).toBeNull();
        expect(read(bytes.subarray(0, at), signature)).toBeNull();
      }),
    );
  });

  it.each([
    '',
    'null',
    '[]',
    '{',
    '{"id":"evt_1"}',
    '{"id":1,"type":"a","data":{"object":{"object":"x"}}}',
    '{"id":"evt_1","type":"a","data":{"object":{"object":"x","customer":7}}}',
    '{"object":"v2.core.event","id":"evt_1","type":"a"}',
  ])('%j, though it is signed', (text) => {
    const sent = signed(text, NOW);
    expect(read(sent.body, sent.signature)).toBeNull();
  });

  it('whatever header anybody thinks of, without throwing', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: ANY_CHARACTER }), (header, tail) => {
        expect(read(body, header)).toBeNull();
        expect(read(body, `${time},v1=${tail}`)).toBeNull();
      }),
    );
  });
});
