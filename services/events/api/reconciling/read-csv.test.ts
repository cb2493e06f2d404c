// Goal: what RFC 4180 says is read, and what two readers could read differently is refused with its line.
import { describe, expect, it } from 'vitest';
import { CsvProblem, readCsv } from './read-csv.ts';

const fieldsOf = (text: string): (readonly string[])[] => [...readCsv(text)].map(({ fields }) => fields);

describe('CSV', () => {
  it.each<readonly [string, string, readonly (readonly string[])[]]>([
    [
      'lines with and without an end',
      'a,b\r\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a last line end',
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'LF',
      'a,b\nc,d\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'CR',
      'a,b\rc,d\r',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a byte order mark', '\ufeffa,b\n', [['a', 'b']]],
    ['a byte order mark before a quote', '\ufeff"a",b\n', [['a', 'b']]],
    [
      'empty lines',
      '\n\na,b\n\r\n\nc,d\n\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'empty fields',
      'a,,c\n,,\n',
      [
        ['a', '', 'c'],
        ['', '', ''],
      ],
    ],
    [
      'an empty last field',
      'a,b\nc,',
      [
        ['a', 'b'],
        ['c', ''],
      ],
    ],
    [
      'quoted fields',
      '"a","b b"\n"c",d\n',
      [
        ['a', 'b b'],
        ['c', 'd'],
      ],
    ],
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
  ])('takes %s', (_name, text, rows) => {
    expect(fieldsOf(text)).toEqual(rows);
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
    const problem = expect.objectContaining({ line }) as unknown;
    expect(() => fieldsOf(text)).toThrow(CsvProblem);
    try {
      fieldsOf(text);
    } catch (error) {
      expect(error).toEqual(problem);
    }
  });

  it('reads no further than it is asked to', () => {
    const rows = readCsv(`a,b\nc,d\n"${'x'.repeat(1_000)}`);
    expect([rows.next().value, rows.next().value].map((row) => row?.line)).toEqual([1, 2]);
    expect(() => rows.next()).toThrow('not closed');
  });

  it('is what is left of any fields that were written as CSV', () => {
    let state = 4711;
    const next = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state % below;
    };
    const signs = ['a', ',', '"', '\n', '\r', '\r\n', ' ', 'é', '😀', ''];
    for (let round = 0; round < 300; round++) {
      const rows = Array.from({ length: 1 + next(4) }, () =>
        Array.from({ length: 3 }, () =>
          Array.from({ length: next(5) }, () => signs[next(signs.length)] ?? '').join(''),
        ),
      );
      const text = rows
        .map((fields) => fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(','))
        .join('\r\n');
      expect(fieldsOf(text), `round ${round}`).toEqual(rows);
    }
  });
});
