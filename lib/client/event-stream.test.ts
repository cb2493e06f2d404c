import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEvents, type ServerSentEvent } from './event-stream.ts';

async function* inPieces(pieces: readonly Uint8Array[]) {
  yield* pieces;
}

async function read(...pieces: readonly (string | Uint8Array)[]): Promise<ServerSentEvent[]> {
  const bytes = pieces.map((piece) => (typeof piece === 'string' ? new TextEncoder().encode(piece) : piece));
  const events: ServerSentEvent[] = [];
  for await (const event of readEvents(inPieces(bytes))) events.push(event);
  return events;
}

const event = (data: string, event = 'message', id = ''): ServerSentEvent => ({ event, data, id });

describe('readEvents', () => {
  it.each<[string, string, ServerSentEvent[]]>([
    ['names, data and ids', 'event: a\ndata: 1\nid: 7\n\n', [event('1', 'a', '7')]],
    ['several lines of data', 'data: one\ndata:two\ndata\ndata:  four\n\n', [event('one\ntwo\n\n four')]],
    ['comments', ': still here\n\n:\ndata: 1\n: in between\n\n', [event('1')]],
    ['lines that end in CR', 'data: 1\rdata: 2\r\rdata: 3\r\r', [event('1\n2'), event('3')]],
    ['lines that end in CRLF', 'data: 1\r\ndata: 2\r\n\r\ndata: 3\r\n\r\n', [event('1\n2'), event('3')]],
    ['a mix of all three', 'data: 1\r\ndata: 2\n\rdata: 3\r\n\n', [event('1\n2'), event('3')]],
    [
      'an id that stays',
      'id: 7\ndata: 1\n\ndata: 2\n\n',
      [event('1', 'message', '7'), event('2', 'message', '7')],
    ],
    ['an id of an event without data', 'id: 7\n\ndata: 1\n\n', [event('1', 'message', '7')]],
    [
      'an id that is taken back',
      'id: 7\ndata: 1\n\nid\ndata: 2\n\n',
      [event('1', 'message', '7'), event('2')],
    ],
    ['an id with NUL, which is none', 'id: a\0b\ndata: 1\n\n', [event('1')]],
    ['a name that does not stay', 'event: a\n\ndata: 1\n\n', [event('1')]],
    ['colons in data', 'data: {"a":"b: c"}\n\n', [event('{"a":"b: c"}')]],
    ['what it does not know', 'retry: 10\nfoo: bar\nData: no\ndata: 1\n\n', [event('1')]],
    ['a byte order mark at the start only', '\ufeffdata: \ufeff1\n\n', [event('\ufeff1')]],
    ['separators of Unicode, which end no line', 'data: a\u2028b\u0085c\n\n', [event('a\u2028b\u0085c')]],
    ['nothing', '', []],
    ['empty lines', '\n\n\r\n\r', []],
    ['no event that is not finished', 'data: 1\n\ndata: 2\n', [event('1')]],
    ['no line that is not finished', 'data: 1', []],
  ])('reads %s', async (_name, text, expected) => {
    expect(await read(text)).toEqual(expected);
  });

  it('hands an event over with its last line, not with the next one', async () => {
    const asked: number[] = [];
    async function* chunks() {
      for (const [n, text] of ['data: 1\r\n\r', '\ndata: 2\n\n'].entries()) {
        asked.push(n);
        yield new TextEncoder().encode(text);
      }
    }
    const events = readEvents(chunks());
    expect((await events.next()).value).toEqual(event('1'));
    expect(asked).toEqual([0]);
    expect((await events.next()).value).toEqual(event('2'));
  });

  it('reads the same wherever the network cuts', async () => {
    const field = fc.constantFrom('data', 'event', 'id', 'retry', '', 'dätä');
    const value = fc.string({ unit: fc.constantFrom('a', ' ', ':', 'ü', '😀', '\ufeff', '\0') });
    const end = fc.constantFrom('\n', '\r', '\r\n', '\n\n', '\r\r', '\r\n\r\n');
    const line = fc.tuple(field, fc.constantFrom('', ':', ': '), value, end).map((parts) => parts.join(''));
    const stream = fc.array(line, { maxLength: 12 }).map((lines) => lines.join(''));
    await fc.assert(
      fc.asyncProperty(stream, fc.array(fc.nat(200), { maxLength: 20 }), async (text, cuts) => {
        const bytes = new TextEncoder().encode(text);
        const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        const pieces = places.slice(1).map((end, i) => bytes.slice(places[i], end));
        const each = Array.from(bytes, (byte) => Uint8Array.of(byte));
        const whole = await read(bytes);
        expect(await read(...pieces)).toEqual(whole);
        expect(await read(...each)).toEqual(whole);
      }),
      { numRuns: 300 },
    );
  });
});
