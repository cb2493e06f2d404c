// Goal: an alarm that wakes an operator says where to read on, and that place exists. Method: every alarm of the synthesized app,
// with everything a setting adds, against the headings of docs/runbook.md.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { synthesized } from './synthesized.ts';

const page = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
/** Heading → its text, up to the next heading. */
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((text) => [text.split('\n', 1)[0] ?? '', text] as const),
);
const anchorOf = (heading: string): string => heading.toLowerCase().replaceAll(' ', '-');

const alarmsOf = (): readonly { readonly id: string; readonly description: string }[] => {
  const context = { mailDomain: 'help.shop.example', dashboard: true };
  return [...synthesized({ ephemeral: false, context }).stacks.values()].flatMap(({ Resources }) =>
    Object.entries(Resources)
      .filter(([, { Type }]) => Type === 'AWS::CloudWatch::Alarm')
      .map(([id, { Properties }]) => ({ id, description: String(Properties?.AlarmDescription) })),
  );
};
const headingOf = (description: string): string | undefined => {
  const anchor = / What to do: docs\/runbook\.md#([a-z0-9-]+)$/.exec(description)?.[1];
  return [...sections.keys()].find((heading) => anchorOf(heading) === anchor);
};

describe('the runbook', () => {
  it('is found from every alarm', () => {
    const alarms = alarmsOf();
    expect(alarms.length).toBeGreaterThan(10);
    const lost = alarms.filter(({ description }) => headingOf(description) === undefined);
    expect(lost).toEqual([]);
  });

  it('has the heading of an alarm, and not that of another one', () => {
    for (const { id, description } of alarmsOf()) expect(id).toContain(headingOf(description));
  });

  it('says of each alarm what it means, who is hurt, what to look at and what to do', () => {
    const named = new Set(alarmsOf().map(({ description }) => headingOf(description) ?? ''));
    for (const heading of named)
      for (const part of ['- **Means.**', '- **Hurts.**', '- **Look at.**', '- **Do.**'])
        expect(sections.get(heading), heading).toContain(part);
  });
});
