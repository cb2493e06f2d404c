// CSV as RFC 4180 describes it, row by row: fields between commas, quoted where they hold commas, quotes or line ends. Lines end
// in CRLF, LF or CR; a byte order mark and empty lines are skipped. Guarantees: linear time; reads no further than it is asked
// to. Refuses what two readers could read differently: a quote inside an unquoted field, text after a closing quote, a quote that
// is not closed, and rows of other lengths than the first.

export interface CsvRow {
  /** Of the line it begins on, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

export class CsvProblem extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

const BYTE_ORDER_MARK = '\ufeff';

/** Throws `CsvProblem`. */
export function* readCsv(text: string): Generator<CsvRow, void> {
  let at = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  let line = 1;
  let width: number | undefined;
  while (at < text.length) {
    const row = readRow(text, at, line);
    const isEmpty = row.fields.length === 1 && row.fields[0] === '' && !row.isQuoted;
    if (!isEmpty) {
      width ??= row.fields.length;
      if (row.fields.length !== width)
        throw new CsvProblem(
          line,
          `must have ${width} fields like the first line, and has ${row.fields.length}`,
        );
      yield { line, fields: row.fields };
    }
    ({ at, line } = row);
  }
}

interface RowRead {
  readonly fields: readonly string[];
  readonly isQuoted: boolean;
  /** Where the next row begins. */
  readonly at: number;
  readonly line: number;
}

function readRow(text: string, from: number, firstLine: number): RowRead {
  const fields: string[] = [];
  let at = from;
  let line = firstLine;
  let isQuoted = false;
  for (;;) {
    const field = text[at] === '"' ? readQuoted(text, at, line) : readPlain(text, at, line);
    isQuoted ||= text[at] === '"';
    fields.push(field.value);
    ({ at, line } = field);
    if (text[at] !== ',') break;
    at += 1;
  }
  return { fields, isQuoted, at: at + lineEnd(text, at), line: line + 1 };
}

interface FieldRead {
  readonly value: string;
  readonly at: number;
  readonly line: number;
}

const PLAIN_END = /[,"\r\n]/g;

function readPlain(text: string, from: number, line: number): FieldRead {
  PLAIN_END.lastIndex = from;
  const at = PLAIN_END.exec(text)?.index ?? text.length;
  if (text[at] === '"') throw new CsvProblem(line, 'has a quote in a field that is not quoted');
  return { value: text.slice(from, at), at, line };
}

const LINE_ENDS = /\r\n|\r|\n/g;

function readQuoted(text: string, from: number, line: number): FieldRead {
  let end = from;
  do {
    end = text.indexOf('"', end + 1);
    if (end < 0) throw new CsvProblem(line, 'has a quote that is not closed');
    // Two of them are one of the text.
    if (text[end + 1] !== '"') break;
    end += 1;
  } while (end < text.length);
  const at = end + 1;
  if (at < text.length && text[at] !== ',' && lineEnd(text, at) === 0)
    throw new CsvProblem(line, 'has text after a closing quote');
  const inner = text.slice(from + 1, end);
  return { value: inner.replaceAll('""', '"'), at, line: line + (inner.match(LINE_ENDS)?.length ?? 0) };
}

function lineEnd(text: string, at: number): number {
  if (text[at] === '\r') return text[at + 1] === '\n' ? 2 : 1;
  return text[at] === '\n' ? 1 : 0;
}
