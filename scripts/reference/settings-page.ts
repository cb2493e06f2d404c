// The page of deployment settings, from the list that the CDK app reads them by.
import { NUMBER_SETTINGS } from '../../cdk/number-settings.ts';
import { FLAG, OTHER_SETTINGS } from '../../cdk/setting-list.ts';
import { bullets, code } from './markdown.ts';

export function settingsPage(): string[] {
  const line = (name: string, values: string, otherwise: string | number, meaning: string): string =>
    `${code(name)}: ${meaning}${values === FLAG.values ? '' : ` (${values}; else ${otherwise})`}`;
  const numbers = Object.entries(NUMBER_SETTINGS).map(([name, { min, max, fallback, meaning }]) =>
    line(name, `${min} to ${max}`, fallback, meaning),
  );
  const others = Object.entries(OTHER_SETTINGS).map(([name, { values, otherwise, meaning }]) =>
    line(name, values, otherwise, meaning),
  );
  return [
    'They stand in `cdk/environments/<name>.json`, JSON with comments, which editors complete by its schema; `npx millrace deploy <name>` says which file, `-c environment=<name>` where the CDK is called. What stands between commas may be a list. Other names and values are refused before anything is built. Only with `-c ephemeral=true` settings may be given as `-c <name>=<value>`.',
    'In brackets: what it may be; what holds otherwise. Without brackets: `true` or `false`, which holds otherwise.',
    bullets([...others, ...numbers]),
    'What the figures of capacity and concurrency should be: [docs/capacity.md](../capacity.md).',
  ];
}

/** For editors: names, meanings and bounds. Whether values go together is checked when they are read. */
export function settingsSchema(): object {
  const numbers = Object.entries(NUMBER_SETTINGS).map(([name, { min, max, fallback, meaning }]) => [
    name,
    { type: 'integer', minimum: min, maximum: max, default: fallback, description: meaning },
  ]);
  const others = Object.entries(OTHER_SETTINGS).map(([name, { values, otherwise, meaning }]) => [
    name,
    { description: `${meaning} Values: ${values}. When not given: ${otherwise}.` },
  ]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Settings of a deployment of Millrace',
    type: 'object',
    properties: { $schema: { type: 'string' }, ...Object.fromEntries([...others, ...numbers]) },
    additionalProperties: false,
  };
}
