// The list in stateful-resources.json: what this release must neither replace nor let go of, made from the templates of a
// production with all that settings can add. scripts/generate.ts writes it; entries go by name alone.
import { readFileSync } from 'node:fs';
import { type Loss, listOf, lossesFrom, type StatefulList } from './stateful.ts';
import { type Synthesized, synthesizeApp } from './synthesize.ts';

export const STATEFUL_LIST = 'cdk/stateful-resources.json';

/** Every resource of these kinds that a lasting deployment can have. */
export const EVERYTHING = {
  account: '111122223333',
  region: 'eu-central-1',
  multiRegionKey: true,
  dashboard: true,
  domain: 't.shop.example',
  domainZone: 'Z0123456789ABC',
  accessLogs: true,
  mailDomain: 'desk.shop.example',
} as const;

export const readStatefulList = (): StatefulList =>
  JSON.parse(readFileSync(new URL('stateful-resources.json', import.meta.url), 'utf8')) as StatefulList;

/** What is to be written, unless something is lost that was not named. */
export function statefulList(
  listed: StatefulList,
  letGo: readonly string[],
  stacks: Synthesized['stacks'] = synthesizeApp({
    ephemeral: false,
    bundle: false,
    context: EVERYTHING,
  }).stacks,
): { readonly text: string; readonly refused: readonly Loss[] } {
  const next = listOf(stacks);
  return { text: linesOf(next), refused: lossesFrom(listed, next).filter(({ id }) => !letGo.includes(id)) };
}

/** One resource a line. */
function linesOf(list: StatefulList): string {
  const stacks = Object.entries(list).map(([stack, resources]) => {
    const lines = Object.entries(resources).map(
      ([id, one]) => `${JSON.stringify(id)}: ${JSON.stringify(one)}`,
    );
    return `${JSON.stringify(stack)}: {\n${lines.join(',\n')}\n}`;
  });
  return `{\n${stacks.join(',\n')}\n}\n`;
}
