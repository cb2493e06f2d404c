// Goal: the commands of docs/deploy.md do what is written beside them. Method: each line of its block, in order, before the real
// operator function over emulated tables.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openOperator } from '#test/support/operator.ts';
import { openTerminal } from '#test/support/terminal.ts';
import { COMMANDS } from './commands/all.ts';

const DOCUMENT = new URL('../../docs/deploy.md', import.meta.url);
const lines = [...readFileSync(DOCUMENT, 'utf8').matchAll(/^npx millrace (.+)$/gm)].map(([, line = '']) =>
  [...line.replace(/ +# .*/, '').matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, word]) => quoted ?? word ?? '',
  ),
);

it('names every command once, and each of them is done', async () => {
  const named = lines.map((words) => COMMANDS.find(({ name }) => words.join(' ').startsWith(name))?.name);
  expect([...named].sort()).toEqual(COMMANDS.map(({ name }) => name).sort());
  const { tables, operator } = await openOperator();
  const run = openTerminal(operator());
  for (const words of lines) {
    const { code, ...said } = await run(...words);
    expect([words.join(' '), code, said.err.replace(/^Found by .*\n$/, '')]).toEqual([
      words.join(' '),
      0,
      '',
    ]);
    expect(said.out).not.toBe('');
  }
  await tables.close();
});
