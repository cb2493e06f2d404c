// Goal: a traceparent is read as the W3C writes it, and nothing else is taken for one.
import { describe, expect, it } from 'vitest';
import { traceOf, traceparentOf } from './trace.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('traceOf', () => {
  it.each([
    `00-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-00`,
    // A later version, of which the beginning is known.
    `cc-${TRACE}-${SPAN}-01`,
    `cc-${TRACE}-${SPAN}-01-what-the-future-brings`,
  ])('reads %s', (header) => {
    expect(traceOf(header)).toEqual({ traceId: TRACE, parentId: SPAN });
  });

  it.each([
    undefined,
    '',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `cc-${TRACE}-${SPAN}-01.more`,
    `00-${TRACE}-${SPAN}-1`,
    ` 00-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}`,
    `00-jane@example.com-${SPAN}-01`,
    `cc-${TRACE}-${SPAN}-01-${'x'.repeat(1_000)}`,
  ])('takes %s for none', (header) => {
    expect(traceOf(header)).toBeUndefined();
  });

  it('reads what is written here', () => {
    expect(traceOf(traceparentOf(TRACE, SPAN))).toEqual({ traceId: TRACE, parentId: SPAN });
  });
});
