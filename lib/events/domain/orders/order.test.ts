// Goal: of any reports of one order, in any sequence and repeated at will, one is counted, and platforms that know an id get one
// conversion, unless a browser and a server say different things.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Order, type OrderDecision, type OrderReport, REPORTS_MAX, report } from './order.ts';

const T0 = Date.UTC(2026, 10, 26, 12);
const HOUR_MS = 3_600_000;
const WINDOW_MS = 48 * HOUR_MS;
/** Meta forgets ids after two days, x never does. */
const windowOf = (target: string) => (target === 'meta' ? WINDOW_MS : undefined);

const reportOf = (eventId: string, over: Partial<OrderReport> = {}): OrderReport => ({
  eventId,
  ingestId: `ingest of ${eventId}`,
  channel: 'server',
  receivedAtMs: T0,
  amount: 'EUR 10',
  conversionId: eventId,
  byEventId: false,
  targets: ['meta', 'x'],
  ...over,
});
const browser = (eventId: string, over: Partial<OrderReport> = {}) =>
  reportOf(eventId, { channel: 'browser', byEventId: true, ...over });

function reportAll(reports: readonly OrderReport[]) {
  let order: Order | undefined;
  const decisions: OrderDecision[] = [];
  for (const each of reports) {
    const after = report(order, each, windowOf);
    order = after.order;
    decisions.push(after.decision);
  }
  return { order, decisions };
}

const PLAIN = { isRepeated: false, byEventId: false, kept: [], differs: false, displaced: [] };

describe('an order', () => {
  it.each<[string, OrderReport[], Partial<OrderDecision>]>([
    ['the first report is counted and goes out as itself', [reportOf('a')], { ...PLAIN, conversionId: 'a' }],
    [
      'a second of a server goes out under the id of the first',
      [reportOf('a'), reportOf('b')],
      { ...PLAIN, isRepeated: true, conversionId: 'a' },
    ],
    [
      'so does a correction of the value',
      [reportOf('a'), reportOf('b', { amount: 'EUR 12' })],
      { ...PLAIN, isRepeated: true, conversionId: 'a' },
    ],
    [
      'a place that forgets the id by then does not get it again, one that had nothing does',
      [
        reportOf('a', { targets: ['meta'] }),
        reportOf('b', { receivedAtMs: T0 + WINDOW_MS, targets: ['meta', 'meta#2', 'x'] }),
      ],
      { isRepeated: true, conversionId: 'a', kept: ['meta'] },
    ],
    [
      'a page that says the same as a page goes out as it',
      [browser('a'), browser('b')],
      { ...PLAIN, isRepeated: true, conversionId: 'a', byEventId: true },
    ],
    [
      'a page that says something else goes out as itself',
      [browser('a'), browser('b', { amount: 'EUR 0.01' })],
      { ...PLAIN, isRepeated: true, conversionId: 'b', byEventId: true },
    ],
    [
      'a page after a server goes nowhere that the server went',
      [reportOf('a', { targets: ['meta'] }), browser('b')],
      { isRepeated: true, kept: ['meta'] },
    ],
    [
      'a server that says what a page said goes out as it, by event id as the page did, and is counted in its place',
      [browser('a'), reportOf('b')],
      {
        ...PLAIN,
        conversionId: 'a',
        byEventId: true,
        displaced: [expect.objectContaining({ eventId: 'a' })],
      },
    ],
    [
      'a server that says something else goes out under an id that cannot be guessed',
      [browser('a', { amount: 'EUR 0.01' }), reportOf('b')],
      { isRepeated: false, conversionId: 'ingest of b', byEventId: true, differs: true, kept: [] },
    ],
    [
      'and the next server goes out as that one',
      [browser('a', { amount: 'EUR 0.01' }), reportOf('b'), reportOf('c')],
      { isRepeated: true, conversionId: 'ingest of b', byEventId: true, differs: false },
    ],
    [
      'both copies of one event are counted as one, and neither displaces the other',
      [browser('a'), reportOf('a', { ingestId: 's' })],
      { isRepeated: false, displaced: [] },
    ],
    [
      'a server’s copy of a page’s that is out goes out as it, by event id as the page did',
      [browser('a'), reportOf('a', { ingestId: 's' })],
      { conversionId: 'a', byEventId: true },
    ],
    [
      'where the copy had to go out apart, later reports of servers go out as the server’s',
      [
        browser('a', { amount: 'EUR 0.01' }),
        reportOf('a', { ingestId: 's', conversionId: 's', byEventId: true }),
        reportOf('b'),
      ],
      { isRepeated: true, conversionId: 's', byEventId: true },
    ],
    [
      'a day later the id is another event',
      [reportOf('a'), reportOf('a', { ingestId: 'next', receivedAtMs: T0 + 24 * HOUR_MS })],
      { isRepeated: true, conversionId: 'a' },
    ],
    [
      'without a value reports say the same',
      [browser('a', { amount: undefined as never }), reportOf('b', { amount: undefined as never })],
      { conversionId: 'a' },
    ],
  ])('%s', (_, reports, expected) => {
    expect(reportAll(reports).decisions.at(-1)).toMatchObject(expected);
  });

  it(`remembers ${REPORTS_MAX} reports beside the first, and decides on a thousand`, () => {
    const { order, decisions } = reportAll(Array.from({ length: 1_000 }, (_, i) => reportOf(`e${i}`)));
    expect(order?.others).toHaveLength(REPORTS_MAX);
    expect(new Set(decisions.map(({ conversionId }) => conversionId))).toEqual(new Set(['e0']));
    expect(decisions.filter(({ isRepeated }) => !isRepeated)).toHaveLength(1);
  });
});

const drawn = fc.record({
  event: fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'),
  channel: fc.constantFrom('server' as const, 'browser' as const),
  amount: fc.constantFrom('EUR 10', 'EUR 12'),
  later: fc.integer({ min: 0, max: 6 * HOUR_MS }),
});

it('decides the same for an event as often as it is reported, counts one event, and lets servers agree on one id', () => {
  fc.assert(
    fc.property(
      fc.array(drawn, { minLength: 1, maxLength: 12 }),
      fc.infiniteStream(fc.nat()),
      (drawn, again) => {
        const reports = drawn.map(({ event, channel, amount, later }) =>
          (channel === 'server' ? reportOf : browser)(event, {
            ...{ amount, receivedAtMs: T0 + later, ingestId: `${channel} ${event}` },
          }),
        );
        // As a redelivered message brings it: an earlier report once more.
        const sequence = reports.flatMap((each, i) => [
          each,
          reports[(again.next().value ?? 0) % (i + 1)] ?? each,
        ]);
        const { order, decisions } = reportAll(sequence);
        const first = new Map<string, OrderDecision>();
        for (const [i, { ingestId }] of sequence.entries()) {
          const { conversionId, byEventId, kept } = decisions[i] as OrderDecision;
          const before = first.get(ingestId);
          if (before === undefined) first.set(ingestId, decisions[i] as OrderDecision);
          else expect(before).toMatchObject({ conversionId, byEventId, kept });
        }
        // Of servers one is counted, as if no page had said anything.
        const isServers = sequence.some(({ channel }) => channel === 'server');
        const counted = sequence.filter(
          ({ channel }, i) => decisions[i]?.isRepeated === false && (channel === 'server') === isServers,
        );
        expect(new Set(counted.map(({ eventId }) => eventId))).toEqual(new Set([order?.counted.eventId]));
        const servers = sequence.flatMap(({ channel }, i) =>
          channel === 'server' ? [decisions[i]?.conversionId] : [],
        );
        // Two at most: what said the same as a page went out as the page, what did not under an id of its own.
        expect(new Set(servers).size).toBeLessThanOrEqual(2);
      },
    ),
    { numRuns: 1_000 },
  );
});

it('names a page’s report in whose place it is counted as often as it is reported, with its worth', () => {
  const [page, server] = [browser('a', { amount: 'EUR 0.01', shard: 5 }), reportOf('b', { touch: 'meta' })];
  const { order, decisions } = reportAll([page, server, reportOf('c'), server]);
  for (const i of [1, 3])
    expect(decisions[i]?.displaced).toMatchObject([{ eventId: 'a', receivedAtMs: T0, shard: 5 }]);
  expect(decisions[2]?.displaced).toEqual([]);
  expect(order).toMatchObject({ amount: 'EUR 10', touch: 'meta', counted: { eventId: 'b' } });
});

it('lets no page keep a server’s event out, however many come first', () => {
  const pages = Array.from({ length: 50 }, (_, i) => browser(`p${i}`, { amount: 'EUR 0.01' }));
  const { order, decisions } = reportAll([...pages, reportOf('server')]);
  expect(decisions.at(-1)?.isRepeated).toBe(false);
  expect(order?.counted.eventId).toBe('server');
  expect(order?.others).toHaveLength(REPORTS_MAX);
});
