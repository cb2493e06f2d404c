// Goal: for any chosen or pasted input a person sees what would be compared, or one sentence on why it cannot be; and
// no page freezes. Method: what the API accepts is previewed, what it refuses as a whole is reported; compared with the
// API's own reader.
import { describe, expect, it } from 'vitest';
import { RECONCILIATION_LIMITS } from '#lib/events/domain/reconciliation/reconciliation.ts';
import { COLUMNS as API_COLUMNS } from '#services/events/api/reconciling/order-rows.ts';
import { readUpload } from '#services/events/api/reconciling/read-upload.ts';
import { COLUMNS, previewOrders, textOf, tooLarge, UPLOAD_LIMITS } from './read-orders.ts';

const HEAD = 'order_id,value,currency\n';
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const isTaken = (text: string): boolean => !('problems' in readUpload(bytes(text), 'text/csv'));
const isShown = (text: string): boolean => {
  const read = textOf(bytes(text));
  return 'text' in read && !('problem' in previewOrders(read.text));
};

describe('orders as CSV', () => {
  it('have the limits and columns of the API', () => {
    expect(UPLOAD_LIMITS).toEqual({
      sizeMaxBytes: RECONCILIATION_LIMITS.uploadSizeMaxBytes,
      ordersMax: RECONCILIATION_LIMITS.ordersMax,
    });
    expect(COLUMNS).toEqual(API_COLUMNS);
    expect(tooLarge(UPLOAD_LIMITS.sizeMaxBytes)).toBeUndefined();
    expect(tooLarge(7_654_321)).toEqual({ problem: 'It has 7.3 MB; at most 4 MB are taken. Split it.' });
  });

  it('are shown as they will be read: quotes, ends of lines, byte order mark and all', () => {
    const text =
      '\ufefforder_id,Value,note\r\n1001,"1,059.98","say ""hi""\r\nthere"\r\n\r\n1002,5,\r1003,6,x';
    expect(previewOrders(text)).toEqual({
      orders: 3,
      names: ['order_id', 'Value', 'note'],
      first: [
        ['1001', '1,059.98', 'say "hi"\r\nthere'],
        ['1002', '5', ''],
        ['1003', '6', 'x'],
      ],
    });
  });

  it.each([
    ['', 'It is empty: the first line names the columns.'],
    ['\ufeff\r\n', 'It is empty: the first line names the columns.'],
    [HEAD, 'There is no order below the first line.'],
    ['order_id;value\n1;2', 'The columns are separated by semicolons; commas are needed.'],
    ['order_id\tvalue\n1\t2', 'The columns are separated by tabs; commas are needed.'],
    [
      'Name,Total\n1,2',
      'The first line must name the columns, order_id or event_id among them. It is: Name, Total',
    ],
    ['order_id,order_id\n1,2', 'The first line names the column order_id twice.'],
    [`${HEAD}1,2,USD\n3,4`, 'Line 3 has 2 fields, and the first one 3.'],
    [`${HEAD}1,"2,USD`, 'Line 2 has a quote that is not closed, or stands inside a field.'],
    [`${HEAD}"a\nb",2,USD\n1,2"x,USD`, 'Line 4 has a quote that is not closed, or stands inside a field.'],
    [`${HEAD}"1"x,2,USD`, 'Line 2 has a quote that is not closed, or stands inside a field.'],
    [`${HEAD}1,\0,USD`, 'This is no text: it has NUL characters.'],
    [`${HEAD}${'1,2,USD\n'.repeat(10_001)}`, 'There are more than 10,000 orders. Compare them in parts.'],
  ])('are refused in one sentence: %#', (text, problem) => {
    expect(previewOrders(text)).toEqual({ problem });
    expect(isTaken(text)).toBe(false);
  });

  it.each([
    ['UTF-16', [0xff, 0xfe, 0x6f, 0x00], /UTF-16.*CSV UTF-8/],
    ['a workbook', [0x50, 0x4b, 0x03, 0x04, 0x00], /a workbook.*CSV UTF-8/],
    ['Latin 1', [0x6f, 0xe9, 0x0a], /no text in UTF-8/],
    ['noise', Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 256), /no text in UTF-8/],
  ])('are no bytes of another kind: %s', (_name, given, said) => {
    const read = textOf(Uint8Array.from(given));
    expect('problem' in read && read.problem).toMatch(said);
  });

  it('are judged as a whole as the API judges them, however they are cut', () => {
    const text = 'order_id,"event_id",value\r\n1001,"a ""b"", c",5\n"10\r02",x,"6"\r1003,,7\n';
    for (let from = 0; from <= text.length; from++)
      for (const piece of [text.slice(from), text.slice(0, from)])
        if (isTaken(piece)) expect([piece, isShown(piece)]).toEqual([piece, true]);
  });

  it('are read no further than needed', () => {
    const startedMs = performance.now();
    expect(previewOrders(HEAD + '1,2,USD\n'.repeat(500_000))).toHaveProperty('problem');
    expect(previewOrders(`${HEAD}"${'""'.repeat(2_000_000)}",2,USD`)).toHaveProperty('orders', 1);
    expect(previewOrders(','.repeat(4_000_000))).toHaveProperty('problem');
    // Against what is quadratic only.
    expect(performance.now() - startedMs).toBeLessThan(20_000);
  });
});
