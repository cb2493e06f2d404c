import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitList } from './json-list.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
function split(text: string | Uint8Array, entriesMax = 500) {
  const found = splitList(typeof text === 'string' ? encode(text) : text, 'events', entriesMax);
  return found === null ? null : { around: decode(found.around), entries: found.entries.map(decode) };
}

describe('splitList', () => {
  it.each<[string, string, readonly string[]]>([
    ['good entries', '{"events":[{"a":1},{"b":[1,2]}]}', ['{"a":1}', '{"b":[1,2]}']],
    ['white space', ' {\n"events" :\t[ 1 , 2 ] } ', [' 1 ', ' 2 ']],
    ['no entry', '{"events":[ ]}', []],
    [
      'what is not JSON between the commas',
      '{"events":[{"a":},{nope},{"b":1}]}',
      ['{"a":}', '{nope}', '{"b":1}'],
    ],
    ['brackets and commas in strings', '{"events":["],[",{"a":"}\\"]"}]}', ['"],["', '{"a":"}\\"]"}']],
    ['a closing bracket of the other kind', '{"events":[{"a":[1}],{"b":1}]}', ['{"a":[1}]', '{"b":1}']],
    ['members around it', '{"x":[{"events":[3]}],"events":[1],"y":"[,"}', ['1']],
  ])('finds %s', (_name, text, entries) => {
    expect(split(text)?.entries).toEqual(entries);
  });

  it('leaves the text around the list', () => {
    expect(split('{"merchant_id":"x","events":[{"a":},2],"more":[1]}')?.around).toBe(
      '{"merchant_id":"x","events":[],"more":[1]}',
    );
  });

  it.each([
    ['nothing', ''],
    ['a list', '[1,2]'],
    ['no list of the name', '{"event":[1]}'],
    ['another kind of value', '{"events":{"a":1}}'],
    ['the list twice', '{"events":[1],"events":[2]}'],
    ['a list inside', '{"a":{"events":[1]}}'],
    ['an empty place', '{"events":[1,,2]}'],
    ['a comma at the end', '{"events":[1,]}'],
    ['an entry that never ends', '{"events":[{"a":1,{"b":2}]}'],
    ['a text that never ends', '{"events":[{"a":"x},{"b":2}]}'],
    ['a cut text', '{"events":[{"a":1},{"b":'],
    ['too many', '{"events":[1,2,3,4]}'],
  ])('finds nothing in %s', (_name, text) => {
    expect(split(text, 3)).toBeNull();
  });

  const json = fc.json({ maxDepth: 4 });

  it('gives back the entries that were written, whatever is in their strings', () => {
    fc.assert(
      fc.property(fc.array(json, { maxLength: 8 }), json, (entries, other) => {
        expect(split(`{"a":${other},"events":[${entries.join(',')}],"b":${other}}`)).toEqual({
          around: `{"a":${other},"events":[],"b":${other}}`,
          entries,
        });
      }),
      { numRuns: 300 },
    );
  });

  it('never takes what JSON.parse takes for something else', () => {
    const anyBytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.concat([Buffer.from('{"events":['), bytes])),
      fc
        .string({ unit: fc.constantFrom(...'{}[]",:\\ae1 '), maxLength: 40 })
        .map((text) => Buffer.from(`{"events":[${text}]}`)),
    );
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const found = split(bytes);
        let parsed: unknown;
        try {
          parsed = JSON.parse(bytes.toString());
        } catch {
          return;
        }
        const { events } = parsed as { events: unknown[] };
        if (found !== null) expect(found.entries.map((entry) => JSON.parse(entry))).toEqual(events);
      }),
      { numRuns: 1_000 },
    );
  });

  it('reads each byte a bounded number of times', () => {
    const time = (text: string): number => {
      const bytes = encode(text);
      // Time of this process, so that a busy machine does not count.
      const start = process.cpuUsage();
      split(bytes);
      return process.cpuUsage(start).user / 1_000;
    };
    for (const unit of ['[', '"', '{"', '\\', ',', ' ', '"events":[', '{"events":[1],'])
      expect(time(`{"events":[${unit.repeat(2_000_000 / unit.length)}`), unit).toBeLessThan(500);
  });
});
