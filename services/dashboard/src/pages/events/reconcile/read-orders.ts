// Orders that are to be compared, as CSV: read as far as a preview and a clear sentence need it, and judged by the API. Guarantees:
// linear time; stops at what the API would not take anyway. Bytes go to the API as they are.

/** As POST /v1/reconciliations takes them; a test holds them against it. */
export const UPLOAD_LIMITS = { sizeMaxBytes: 4_194_304, ordersMax: 10_000 } as const;
export const COLUMNS: readonly string[] = ['order_id', 'event_id', 'value', 'currency', 'time'];

export interface OrdersPreview {
  readonly orders: number;
  /** Names of the first line, in its order. */
  readonly names: readonly string[];
  /** The first orders, by the names. */
  readonly first: readonly (readonly string[])[];
}

export interface Problem {
  readonly problem: string;
}

const SHOWN_ROWS = 5;
const FIELDS_MAX = 500;
const whole = new Intl.NumberFormat('en');
const UTF8 = 'In a spreadsheet, save it as “CSV UTF-8”';

export const tooLarge = (bytes: number): Problem | undefined =>
  bytes <= UPLOAD_LIMITS.sizeMaxBytes
    ? undefined
    : { problem: `It has ${(bytes / 1_048_576).toFixed(1)} MB; at most 4 MB are taken. Split it.` };

/** What kinds of files people choose instead, by how they begin. */
const OTHERS: readonly (readonly [bytes: readonly number[], words: string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], `This is a workbook or an archive, no CSV. ${UTF8}.`],
  [[0xd0, 0xcf, 0x11, 0xe0], `This is an old workbook, no CSV. ${UTF8}.`],
  [[0x25, 0x50, 0x44, 0x46], 'This is a PDF, no CSV.'],
  [[0x1f, 0x8b], 'This is compressed: unpack it first.'],
  [[0xff, 0xfe], `This is UTF-16. ${UTF8}.`],
  [[0xfe, 0xff], `This is UTF-16. ${UTF8}.`],
];

/** The bytes as text. */
export function textOf(bytes: Uint8Array): Problem | { readonly text: string } {
  const other = OTHERS.find(([start]) => start.every((byte, index) => bytes[index] === byte));
  if (other !== undefined) return { problem: other[1] };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { problem: `This is no text in UTF-8. ${UTF8}.` };
  }
}

// A field and what ends it.
const FIELD = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n|\r|\n|$)/y;

interface Line {
  readonly number: number;
  readonly fields: readonly string[];
}

function* linesOf(text: string): Generator<Line | Problem, void> {
  let number = 1;
  let at = text.startsWith('\ufeff') ? 1 : 0;
  while (at < text.length) {
    const fields: string[] = [];
    const start = number;
    let end = ',';
    while (end === ',') {
      FIELD.lastIndex = at;
      const match = FIELD.exec(text);
      if (match === null)
        return yield { problem: `Line ${number} has a quote that is not closed, or stands inside a field.` };
      if (fields.length === FIELDS_MAX)
        return yield {
          problem: `Line ${number} has more than ${FIELDS_MAX} fields: this is no list of orders.`,
        };
      const [all, quoted, plain = '', ending = ''] = match;
      fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
      number += (quoted?.match(/\r\n|\r|\n/g)?.length ?? 0) + (/[\r\n]/.test(ending) ? 1 : 0);
      at += all.length;
      end = ending;
    }
    if (fields.length > 1 || fields[0] !== '') yield { number: start, fields };
  }
}

export function previewOrders(text: string): Problem | OrdersPreview {
  if (text.includes('\0')) return { problem: 'This is no text: it has NUL characters.' };
  let names: readonly string[] | undefined;
  const first: (readonly string[])[] = [];
  let orders = 0;
  for (const line of linesOf(text)) {
    if ('problem' in line) return line;
    const { number, fields } = line;
    if (names === undefined) {
      names = fields.map((name) => name.trim());
      const problem = headProblem(names);
      if (problem !== undefined) return { problem };
      continue;
    }
    if (fields.length !== names.length)
      return { problem: `Line ${number} has ${fields.length} fields, and the first one ${names.length}.` };
    orders += 1;
    if (orders > UPLOAD_LIMITS.ordersMax)
      return {
        problem: `There are more than ${whole.format(UPLOAD_LIMITS.ordersMax)} orders. Compare them in parts.`,
      };
    if (first.length < SHOWN_ROWS) first.push(fields);
  }
  if (names === undefined) return { problem: 'It is empty: the first line names the columns.' };
  return orders === 0 ? { problem: 'There is no order below the first line.' } : { orders, names, first };
}

function headProblem(names: readonly string[]): string | undefined {
  const [only = ''] = names;
  const other = [
    [';', 'semicolons'],
    ['\t', 'tabs'],
  ].find(([sign]) => names.length === 1 && only.includes(sign ?? ''));
  if (other !== undefined) return `The columns are separated by ${other[1]}; commas are needed.`;
  const known = names.map((name) => name.toLowerCase());
  const twice = COLUMNS.find((column) => known.indexOf(column) !== known.lastIndexOf(column));
  if (twice !== undefined) return `The first line names the column ${twice} twice.`;
  if (known.includes('order_id') || known.includes('event_id')) return undefined;
  const said = names.slice(0, 6).join(', ').slice(0, 100);
  return `The first line must name the columns, order_id or event_id among them. It is: ${said}`;
}
