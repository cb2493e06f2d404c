// Goal: the commands of docs/deploy.md do what is written beside them. Method: each line of its block, in order, before the real
// operator function over emulated tables; those that ask more than the function are done by operator.e2e.test.ts.
import { expect, it } from 'vitest';
import { documentedLines, isForHost } from '#test/support/documented-commands.ts';
import { openOperator } from '#test/support/operator.ts';
import { restorableAccount } from '#test/support/restorable-account.ts';
import { openTerminal } from '#test/support/terminal.ts';
import { COMMANDS } from './commands/all.ts';

it('names every command once, and each of them is done', async () => {
  const named = documentedLines.map(
    (words) => COMMANDS.find(({ name }) => words.join(' ').startsWith(name))?.name,
  );
  expect([...named].sort()).toEqual(COMMANDS.map(({ name }) => name).sort());
  const { tables, operator } = await openOperator();
  const { recovery } = restorableAccount();
  const run = openTerminal(operator(), undefined, { recovery: () => recovery });
  for (const words of documentedLines.filter((line) => !isForHost(line))) {
    const { code, ...said } = await run(...words);
    // There are dead letters, and doctor ends so where something is wrong.
    const expected = words[0] === 'doctor' ? 1 : 0;
    const err = said.err.replace(/^(?:Found by|Not looked at:) .*\n$/, '');
    expect([words.join(' '), code, err]).toEqual([words.join(' '), expected, '']);
    expect(said.out).not.toBe('');
  }
  await tables.close();
});
