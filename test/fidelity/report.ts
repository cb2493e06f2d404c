// The result in words: a page with one table of figures, and a report with each known difference, its reason and its source.
import type { Findings } from './comparison.ts';
import { PEERS } from './peers.ts';
import type { Sensitivity } from './sensitivity.ts';

export interface Result {
  readonly found: Findings;
  readonly sensitivity: Sensitivity;
}

interface Run {
  readonly seed: number;
  readonly cases: number;
  readonly date: string;
}

const number = (value: number): string => value.toLocaleString('en-US');
const explained = ({ explained: entries }: Findings): number =>
  [...entries.values()].reduce((sum, count) => sum + count, 0);

const ROW = [
  'platform',
  'compared with',
  'orders',
  'withheld',
  'fields',
  'agree',
  'explained',
  'entries',
  'unexplained',
  'as documented',
  'spoilt, noticed',
];

function row({ found, sensitivity: { noticed, spoilt } }: Result): readonly string[] {
  const { comparison, cases, withheld, fields, agreed, unexplained } = found;
  return [
    comparison.platform,
    comparison.peer,
    number(cases),
    number(withheld),
    number(fields),
    number(agreed),
    number(explained(found)),
    number(comparison.allowances.length),
    number(unexplained.length),
    number(found.documented),
    `${number(noticed)} of ${number(spoilt)}`,
  ];
}

function totals(results: readonly Result[]): readonly string[] {
  const sum = (of: (result: Result) => number) => results.reduce((total, result) => total + of(result), 0);
  return [
    'all',
    '',
    '',
    number(sum(({ found }) => found.withheld)),
    number(sum(({ found }) => found.fields)),
    number(sum(({ found }) => found.agreed)),
    number(sum(({ found }) => explained(found))),
    number(sum(({ found }) => found.comparison.allowances.length)),
    number(sum(({ found }) => found.unexplained.length)),
    number(sum(({ found }) => found.documented)),
    `${number(sum(({ sensitivity }) => sensitivity.noticed))} of ${number(sum(({ sensitivity }) => sensitivity.spoilt))}`,
  ];
}

/** A Markdown table with columns of even width. */
function grid(rows: readonly (readonly string[])[], numbersFrom: number): string {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((cells) => [...(cells[at] ?? '')].length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => (at < numbersFrom ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, at) => (at < numbersFrom ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  const [head = [], ...rest] = rows;
  return [line(head), rule, ...rest.map(line)].join('\n');
}

export const table = (results: readonly Result[]): string =>
  grid([ROW, ...results.map(row), totals(results)], 2);

const cell = (text: string): string => text.replaceAll('|', '\\|');

function section({ found }: Result): string {
  const rows = [...found.explained].map(([{ title, fields, reason, source, readOn }, count]) => [
    cell(title),
    fields.map((field) => `\`${field}\``).join(', '),
    number(count),
    cell(reason),
    `<${source}> (${readOn})`,
  ]);
  const lines = [
    ['Difference', 'Fields', 'Times', 'Why', 'Source (read)'],
    ['---', '---', '--:', '---', '---'],
    ...rows,
  ];
  return `### ${found.comparison.platform}, ${found.comparison.peer}\n\n${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`;
}

export function summary(results: readonly Result[], { seed, cases, date }: Run): string {
  return `# Fidelity

Written by \`npm run fidelity -- --write\` on ${date}; not to be edited.

\`npm run fidelity\` sends ${number(cases)} random orders (seed ${seed}) through our platforms and through
${PEERS.join(', ')}, and compares the requests field by field;
digests by the text they were made of. It fails on a difference that no entry of \`test/fidelity/allow-lists\` explains, on an
entry that explains nothing, and when the figures below are out of date. Each known difference, with its reason, its source and how
often it occurred, is in the report of the run, \`.local/fidelity/report.md\`. How to run it and what to do when it
fails: [test/fidelity](../../test/fidelity/README.md).

${table(results)}

- Withheld: orders whose consent keeps them from the platform ([consent.md](consent.md)); withheld without such a refusal, or sent in
  spite of one, is unexplained. Orders state \`ad_personalization\` and \`ad_storage\`, each denied in one of five.
- Fields: those that either side has. Empty text, null, an empty list and absence are one; a list of one is its element.
- Explained: a difference that fits an entry of an allow-list. Where an identifier differs, the entry holds only while ours is
  what the vendor documents, worked out a second time from the order.
- As documented: hashed identifiers of ours, absent ones included, that are what the vendor documents for the order. Every
  other one counts as unexplained, also where the other side agrees with it.
- Spoilt, noticed: agreeing fields of the first 100 orders, changed, left out and unhashed on our side one at a time; noticed means
  that no entry explains the fault away.

X is held against its own documents only: Segment has no action for it, and there is no published implementation that can be
run. What Segment lacks as well (Google's Data Manager API, hashed identifiers for Google Analytics, version 3 at Reddit) is compared as
far as its older actions go, and noted in the entries.
`;
}

export function report(results: readonly Result[], { seed, cases, date }: Run): string {
  return `# Known differences

${number(cases)} orders of seed ${seed}, ${date}.

${table(results)}

${results.map(section).join('\n\n')}
`;
}
