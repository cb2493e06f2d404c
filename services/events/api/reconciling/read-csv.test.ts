// Goal: what RFC 4180 says is read, and what two readers could read differently is refused with its line.
import { describe, expect, it } from 'vitest';
import { CsvProblem, readCsv } from './read-csv.ts';

const fieldsOf = (text: string): (readonly string[])[] => [...readCsv(text)].map(({ fields }) => fields);

/** The fields of each row stand between bars. */
const rows = (...lines: readonly string[]) => lines.map((line) => line.split('|'));
const TWO_ROWS = rows('a|b', 'c|d');

describe('CSV', () => {
  it.each<readonly [string, string, readonly (readonly string[])[]]>([
    ['lines with and without an end', 'a,b\r\nc,d', TWO_ROWS],
    ['a last line end', 'a,b\r\nc,d\r\n', TWO_ROWS],
    ['LF', 'a,b\nc,d\n', TWO_ROWS],
    ['CR', 'a,b\rc,d\r', TWO_ROWS],
    ['a byte order mark', '\ufeffa,b\n', [['a', 'b']]],
    ['a byte order mark before a quote', '\ufeff"a",b\n', [['a', 'b']]],
    ['empty lines', '\n\na,b\n\r\n\nc,d\n\n', TWO_ROWS],
    ['empty fields', 'a,,c\n,,\n', rows('a||c', '||')],
    ['an empty last field', 'a,b\nc,', rows('a|b', 'c|')],
    ['quoted fields', '"a","b b"\n"c",d\n', rows('a|b b', 'c|d')],
    ['an empty quoted line', 'a\n""\n', [['a'], ['']]],
    [
      'commas, quotes and line ends inside quotes',
      '"a,1","say ""hi""\r\nthere"\n',
      [['a,1', 'say "hi"\r\nthere']],
    ],
    ['nothing but quotes', '"""",""""""\n', [['"', '""']]],
    ['blanks, which are part of a field', ' a , b\n', [[' a ', ' b']]],
    ['any sign', 'Größe,北京,🛍️\n', [['Größe', '北京', '🛍️']]],
    ['nothing', '', []],
    ['nothing but a byte order mark', '\ufeff', []],
  ])('takes %s', (_name, text, expected) => {
    expect(fieldsOf(text)).toEqual(expected);
  });

  it.each<readonly [string, string, number]>([
    ['a quote in an unquoted field', 'a,b\nc,d"e\n', 2],
    ['text after a closing quote', 'a,b\n"c"d,e\n', 2],
    ['a blank after a closing quote', '"c" ,e\n', 1],
    ['a quote that is not closed', 'a,b\n\n"c,d\nmore', 3],
    ['a lone quote at the end', 'a,b\nc,"', 2],
    ['a short row', 'a,b\nc\n', 2],
    ['a long row', 'a,b\nc,d\ne,f,\n', 3],
    ['a short row after lines inside quotes', '"a\n\n\n",b\nc\n', 5],
  ])('refuses %s, and names its line', (_name, text, line) => {
    expect(() => fieldsOf(text)).toThrow(CsvProblem);
    expect(() => fieldsOf(text)).toThrow(expect.objectContaining({ line }) as Error);
  });

  it('reads no further than it is asked to', () => {
    const read = readCsv(`a,b\nc,d\n"${'x'.repeat(1_000)}`);
    expect([read.next().value, read.next().value].map((row) => row?.line)).toEqual([1, 2]);
    expect(() => read.next()).toThrow('not closed');
  });

  it('is what is left of any fields that were written as CSV', () => {
    let state = 4711;
    const next = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state % below;
    };
    const signs = ['a', ',', '"', '\n', '\r', '\r\n', ' ', 'é', '😀', ''];
    for (let round = 0; round < 300; round++) {
      const written = Array.from({ length: 1 + next(4) }, () =>
        Array.from({ length: 3 }, () =>
          Array.from({ length: next(5) }, () => signs[next(signs.length)] ?? '').join(''),
        ),
      );
      const quoted = (field: string) => `"${field.replaceAll('"', '""')}"`;
      const text = written.map((fields) => fields.map(quoted).join(',')).join('\r\n');
      expect(fieldsOf(text), `round ${round}`).toEqual(written);
    }
  });
});
