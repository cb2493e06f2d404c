// People of an upload: JSON, CSV whose first line names the columns email, phone and external_id, or a line for each with nothing but an
// e-mail address, a number with + or an id. Guarantees: what is wrong is named by line; nothing of a value is in what is said of it.
import type { ErrorDetail } from '#lib/core/http/errors.ts';
import { detailsOf, issueText } from '#lib/core/http/issue-text.ts';
import { parseStrictJson, STRICT_JSON_TEXTS } from '#lib/core/http/strict-json.ts';
import type { IdentityLookups } from '#lib/events/domain/identity/lookups.ts';
import { SUPPRESSION_IMPORT } from '#lib/events/domain/people/suppression.ts';
import { type Subject, type SubjectWords, subjectOf } from '#lib/events/pipeline/erasure/subject.ts';
import { importSuppressed } from '#lib/events/routes/privacy.ts';
import { CsvProblem, type CsvRow, readCsv } from '../reconciling/read-csv.ts';

type Read<T> = readonly T[] | { readonly problems: readonly ErrorDetail[] };

interface Person {
  /** `lines.5` of CSV, `people.3` of JSON. */
  readonly path: string;
  readonly words: SubjectWords;
}

const { peopleMax } = SUPPRESSION_IMPORT;
const PROBLEMS_MAX = 20;
const WORD_MAX_CHARS = 512;
const TOO_MANY = `must hold at most ${peopleMax} people: import them in parts`;
const COLUMNS = ['email', 'phone', 'external_id'] as const;

const wrong = (path: string, message: string) => ({ problems: [{ path, message }] });

export function readPeople(bytes: Uint8Array, mediaType: string, lookups: IdentityLookups): Read<Subject> {
  const people = mediaType === 'text/csv' ? readLines(bytes) : readJson(bytes);
  if ('problems' in people) return people;
  const subjects: Subject[] = [];
  const problems: ErrorDetail[] = [];
  for (const { path, words } of people) {
    const read = subjectOf(words, lookups);
    if ('subject' in read) subjects.push(read.subject);
    else problems.push(...read.problems.map((one) => ({ ...one, path: `${path}.${one.path}` })));
    if (problems.length >= PROBLEMS_MAX) break;
  }
  return problems.length > 0 ? { problems: problems.slice(0, PROBLEMS_MAX) } : subjects;
}

function readJson(bytes: Uint8Array): Read<Person> {
  const parsed = parseStrictJson(bytes);
  if (!parsed.ok) return wrong('', STRICT_JSON_TEXTS[parsed.reason]);
  const { people } = (parsed.value ?? {}) as { readonly people?: unknown };
  if (Array.isArray(people) && people.length > peopleMax) return wrong('people', TOO_MANY);
  const read = importSuppressed.body.safeParse(parsed.value, { error: issueText });
  if (!read.success) return { problems: detailsOf(read.error.issues).slice(0, PROBLEMS_MAX) };
  return read.data.people.map((words, index) => ({ path: `people.${index}`, words }));
}

function readLines(bytes: Uint8Array): Read<Person> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return wrong('', 'must be UTF-8');
  }
  try {
    return peopleOf(readCsv(text));
  } catch (error) {
    if (error instanceof CsvProblem) return wrong(`lines.${error.line}`, error.message);
    throw error;
  }
}

function peopleOf(rows: Iterable<CsvRow>): Read<Person> {
  let columns: readonly string[] | undefined;
  const people: Person[] = [];
  for (const { line, fields } of rows) {
    const path = `lines.${line}`;
    const names = fields.map((field) => field.trim().toLowerCase());
    if (columns === undefined && names.some(isColumn)) {
      columns = names;
      if (new Set(names).size < names.length) return wrong(path, 'must name each column once');
      continue;
    }
    if (columns === undefined && fields.length > 1)
      return wrong(path, 'must name the columns first: email, phone or external_id, with commas between');
    if (people.length === peopleMax) return wrong(path, TOO_MANY);
    columns ??= [];
    const words = columns.length === 0 ? alone(fields[0] ?? '') : cellsOf(columns, fields);
    const said = Object.values(words);
    if (said.length === 0) return wrong(path, 'must have an e-mail address, a number or an id');
    if (said.some((word) => word.length > WORD_MAX_CHARS || !word.isWellFormed() || word.includes('\0')))
      return wrong(path, `must be text of at most ${WORD_MAX_CHARS} characters`);
    people.push({ path, words });
  }
  return people.length === 0 ? wrong('', 'must hold at least one person') : people;
}

const isColumn = (name: string): boolean => (COLUMNS as readonly string[]).includes(name);

/** A digest is read as the SHA-256 of an address: a digest does not say of what it is. */
function alone(field: string): Readonly<Record<string, string>> {
  const word = field.trim();
  if (word === '') return {};
  if (word.includes('@') || /^[0-9a-f]{64}$/i.test(word)) return { email: word };
  return word.startsWith('+') ? { phone: word } : { external_id: word };
}

function cellsOf(columns: readonly string[], fields: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    columns.flatMap((name, at) => {
      const word = fields[at]?.trim() ?? '';
      return isColumn(name) && word !== '' ? [[name, word]] : [];
    }),
  );
}
