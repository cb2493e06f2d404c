// The page of deployment settings, from the list that the CDK app reads them by.
import { NUMBER_SETTINGS, OTHER_SETTINGS } from '../../cdk/setting-list.ts';
import { code, table } from './markdown.ts';

export function settingsPage(): string[] {
  const numbers = Object.entries(NUMBER_SETTINGS).map(([name, { min, max, fallback, meaning }]) => [
    code(name),
    `${min} to ${max}`,
    fallback,
    meaning,
  ]);
  const others = Object.entries(OTHER_SETTINGS).map(([name, { values, otherwise, meaning }]) => [
    code(name),
    values,
    otherwise,
    meaning,
  ]);
  return [
    'Choices of a deployment: `npm run deploy -- -c <name>=<value>`, or `context` in `cdk.json`, where JSON is written as it is; after `-c` it stands on one line. What a setting may not be is refused before anything is deployed.',
    table(['Setting', 'Values', 'When not given', 'Meaning'], [...others, ...numbers]),
    'What the figures of capacity and concurrency should be: [docs/operations.md](../operations.md#capacity).',
  ];
}
