// Goal: what docs/deploy.md says of a month without traffic is what the template comes to, and within its limit.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { idleDollars, idleExceeded, idleMonth } from '../performance/idle-cost.ts';
import { resourcesOf, synthesized } from './synthesized.ts';

/** Of one sweep of each product, as `npm run cost` counts them. */
const SWEEP_READ_UNITS = 40;

const deployed = () => synthesized({ ephemeral: false });
const section = /## Idle cost\n(?<text>[\s\S]*?)(?:\n## |$)/.exec(
  readFileSync(new URL('../../docs/deploy.md', import.meta.url), 'utf8'),
)?.groups?.text;

it('is the table of the document, line by line', () => {
  const lines = idleMonth(deployed().template, SWEEP_READ_UNITS);
  const of = (what: string) => lines.filter((line) => line.what.includes(what));
  const amount = (found: typeof lines) => `$${idleDollars(found).toFixed(2)}`;
  const sources = resourcesOf(deployed(), 'AWS::Lambda::EventSourceMapping').length;
  const rows = [
    [`each of ${sources} event sources`, amount(of('receives'))],
    [`for each metric: ${of('alarms')[0]?.count}`, amount(of('alarms'))],
    ['CloudWatch dashboard', amount(of('dashboards'))],
    ['the KMS key', amount(of('KMS'))],
    ['schedules', amount([...of('sweeps'), ...of('schedules')])],
    ['**together**', `**${amount(lines)}**`],
  ];
  const shown = (section ?? '')
    .split('\n')
    .filter((line) => line.includes('$') && line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  expect(shown.map(([, , dollars]) => dollars)).toEqual(rows.map(([, dollars]) => dollars));
  for (const [index, [words]] of rows.entries()) expect(shown[index]?.[1]).toContain(words);
  expect(idleExceeded(lines)).toEqual([]);
});
