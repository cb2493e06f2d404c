// Goal: the commands of docs/deploy.md do what is written beside them. Method: each line of its block, in order, before the real
// operator function over emulated tables.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openOperator } from '#test/support/operator.ts';
import { runMillrace } from './command-line.ts';
import { COMMANDS } from './commands/all.ts';

const DOCUMENT = new URL('../../docs/deploy.md', import.meta.url);
const DEPLOYMENT = {
  region: 'eu-central-1',
  operatorUrl: 'https://operator.example',
  ingestionUrl: 'https://in.example',
  apiUrl: 'https://api.example',
  helpdeskUrl: 'https://desk.example',
  dashboardUrl: null,
  queueUrls: {},
};

const lines = [...readFileSync(DOCUMENT, 'utf8').matchAll(/^npx millrace (.+)$/gm)].map(([, line = '']) =>
  [...line.replace(/ +# .*/, '').matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, word]) => quoted ?? word ?? '',
  ),
);

it('names every command once, and each of them is done', async () => {
  const named = lines.map((words) => COMMANDS.find(({ name }) => words.join(' ').startsWith(name))?.name);
  expect([...named].sort()).toEqual(COMMANDS.map(({ name }) => name).sort());
  const { tables, operator } = await openOperator();
  const { ask } = operator();
  for (const words of lines) {
    const said = { out: '', err: '' };
    const code = await runMillrace(words, {
      find: async () => DEPLOYMENT,
      post: async (url, body) => {
        const { status, body: answer } = await ask(body, { path: url.split('/operator/v1/')[1] ?? '' });
        return { status, body: JSON.stringify(answer) };
      },
      queueFigures: async () => ({ waiting: 0, inFlight: 0, delayed: 0 }),
      nowMs: () => 1_795_000_000_000,
      out: (text) => {
        said.out += text;
      },
      err: (text) => {
        said.err += text;
      },
    });
    expect([words.join(' '), code, said.err.replace(/^Found by .*\n$/, '')]).toEqual([
      words.join(' '),
      0,
      '',
    ]);
    expect(said.out).not.toBe('');
  }
  await tables.close();
});
