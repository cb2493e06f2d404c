// Goal: who follows the documents loses nothing and meets no command that is not there. Method: the settings that each section of
// the operator's pages show are added one after the other, as their reader adds them, and each deployment is compared with the one
// before; the commands of the README's "Deploy" are read as their programs read them.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../cdk/environment-file.ts';
import { NUMBER_SETTINGS } from '../../cdk/number-settings.ts';
import { OTHER_SETTINGS } from '../../cdk/setting-list.ts';
import type { Template } from '../../cdk/synthesize.ts';
import { connectPlatform } from '../../lib/events/routes/platforms/platforms.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { synthesized } from './synthesized.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const NAMES = Object.keys({ ...OTHER_SETTINGS, ...NUMBER_SETTINGS });

/** What an operator reads, in the order in which it is read. */
const PAGES = ['deploy', 'runbook', 'capacity', 'restore', 'operations'].map((name) => `docs/${name}.md`);
const operatorText = PAGES.map(textOf).join('\n');
/** In the order of the sections. */
const shown = [...operatorText.matchAll(/```json\n([\s\S]*?)\n```/g)].map(([, text]) => text ?? '');

/** As the file of settings says it, with all fragments up to this one. */
function settingsUpTo(step: number): Readonly<Record<string, unknown>> {
  const folder = scratchFolder('documents');
  writeFileSync(join(folder, 'production.json'), `{${shown.slice(0, step).join(',\n')}}`);
  return settingsOf({}, `${folder}/`);
}

const stacksOf = (step: number): ReadonlyMap<string, Template> =>
  synthesized({ ephemeral: false, context: settingsUpTo(step) }).stacks;

/** What a deployment has. */
const partsOf = (stacks: ReadonlyMap<string, Template>): readonly string[] =>
  [...stacks].flatMap(([stack, { Resources, Outputs }]) => [
    ...Object.keys(Resources).map((id) => `${stack} ${id}`),
    ...Object.keys(Outputs ?? {}).map((id) => `${stack} output ${id}`),
  ]);

describe('the operator’s pages', () => {
  it('shows settings section by section, each by its name and once', () => {
    expect(shown.length).toBeGreaterThan(6);
    const names = shown.flatMap((text) => Object.keys(JSON.parse(`{${text}}`) as object));
    expect(names).toEqual([...new Set(names)]);
    expect(names).toEqual(
      expect.arrayContaining(['mailDomain', 'aiProvider', 'signInCallbackUrls', 'alarmEmail']),
    );
  });

  it.each(shown.map((_, i) => i + 1))(
    'takes nothing away with section %i, followed after those before it',
    (step) => {
      const now = new Set(partsOf(stacksOf(step)));
      expect(partsOf(stacksOf(step - 1)).filter((part) => !now.has(part))).toEqual([]);
    },
  );

  it('gives no setting on a command line, nor does another document', () => {
    const files = ['README.md', ...globSync('docs/*.md', { cwd: ROOT })];
    const given = new RegExp(
      `(?:-c|--context) (?:${NAMES.filter((name) => name !== 'ephemeral').join('|')})=`,
    );
    expect(files.filter((file) => given.test(textOf(file)))).toEqual([]);
  });

  it('names outputs that there are', () => {
    const stacks = synthesized({ ephemeral: false }).stacks;
    const named = [...operatorText.matchAll(/\$\(output (Millrace\w+) (\w+)\)/g)];
    expect(named.length).toBeGreaterThan(1);
    const missing = named.filter(
      ([, stack = '', name = '']) => stacks.get(stack)?.Outputs?.[name] === undefined,
    );
    expect(missing.map(([text]) => text)).toEqual([]);
  });

  it('lists every stack', () => {
    const all = [
      ...synthesized({
        ephemeral: false,
        context: {
          dashboard: true,
          cloudwatchDashboard: true,
          account: '111122223333',
          region: 'eu-central-1',
          domain: 't.shop.example',
          domainZone: 'Z1',
        },
      }).stacks.keys(),
    ];
    const rows = [...operatorText.matchAll(/^\| `(Millrace\w+)`/gm)].map(([, name]) => name);
    expect(rows.sort()).toEqual(all.sort());
  });
});

describe('the README’s way to a first event', () => {
  const section = /## Deploy\n([\s\S]*?)\n## /.exec(textOf('README.md'))?.[1] ?? '';
  const blocks = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text]) => text ?? '');

  it('writes settings, deploys and makes a merchant by commands that there are', () => {
    const lines = (blocks[0] ?? '').split('\n').map((line) => line.replace(/ +#.*/, ''));
    const { scripts, bin } = JSON.parse(textOf('package.json')) as {
      readonly scripts: Readonly<Record<string, string>>;
      readonly bin: Readonly<Record<string, string>>;
    };
    expect(lines).toEqual(
      expect.arrayContaining(['npx millrace init production', 'npx millrace deploy production']),
    );
    expect(scripts.deploy).toBe(`node ${bin.millrace} deploy`);
    // With these: connecting, and sending what is then delivered.
    expect(lines.filter((line) => /^(?:cp|np)/.test(line))).toHaveLength(4);
    expect(existsSync(join(ROOT, bin.millrace ?? ''))).toBe(true);
    expect(lines.at(-2)).toMatch(/^npx millrace merchants create "[^"]+" --owner \S+@\S+ --admin-key$/);
  });

  it('connects a platform with a body that the API takes', () => {
    const body = /-d '(.*)'/.exec(blocks[1] ?? '')?.[1] ?? '';
    expect(connectPlatform.body.safeParse(JSON.parse(body)).success).toBe(true);
  });
});
