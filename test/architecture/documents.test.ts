// Goal: a reader who follows a link of a document arrives, and finds every decision with its status. Method: all Markdown of the
// repository: relative links against files and headings; records against the index.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './cruise.ts';

const SKIPPED = ['node_modules', '.git', 'cdk.out', '.local', 'coverage', '.venv', '.cdk-home', 'dist'];
const files = globSync('**/*.md', {
  cwd: ROOT,
  exclude: (entry) => SKIPPED.includes(entry.split('/').at(-1) ?? ''),
}).sort();
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const withoutCode = (text: string): string => text.replace(/^ *```[\s\S]*?^ *```/gm, '');

/** As GitHub names headings. */
const anchorsOf = (file: string): ReadonlySet<string> =>
  new Set(
    [...withoutCode(textOf(file)).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\- _]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

function lost(file: string): string[] {
  const links = [...withoutCode(textOf(file)).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)];
  return links.flatMap(([link, path = '', anchor]) => {
    const target = path === '' ? file : normalize(join(dirname(file), path));
    const leads =
      existsSync(join(ROOT, target)) &&
      (anchor === undefined || !target.endsWith('.md') || anchorsOf(target).has(anchor));
    return leads ? [] : [`${file} ${link}`];
  });
}

describe('the documents', () => {
  it('were read', () => {
    expect(files).toEqual(
      expect.arrayContaining(['README.md', 'docs/runbook.md', 'lib/events/platforms/meta/README.md']),
    );
  });

  it('have links that lead somewhere', () => {
    expect(files.flatMap(lost)).toEqual([]);
  });
});

describe('each decision', () => {
  const records = files.filter((file) => /^docs\/decisions\/\d{4}-/.test(file));
  const index = textOf('docs/decisions/README.md');

  it.each(records)('%s has its number as title, a status, and a line of the index', (file) => {
    const name = file.replace('docs/decisions/', '');
    expect(textOf(file)).toMatch(new RegExp(`^# ${name.slice(0, 4)} `));
    expect(textOf(file)).toMatch(/^Status: (?:accepted|superseded by \[\d{4}\])/m);
    expect(index).toContain(`](${name})`);
  });

  it('has a number of its own', () => {
    const numbers = records.map((file) => file.replace('docs/decisions/', '').slice(0, 4));
    expect(numbers).toEqual([...new Set(numbers)]);
  });
});
