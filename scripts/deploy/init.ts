// npx millrace init: writes the settings of a new environment. Guarantees: no file is written over, and none is written that a
// deployment would refuse by its settings alone.
import { readdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { settingsOf, TRACKED } from '../../cdk/environment-file.ts';
import { NUMBER_SETTINGS } from '../../cdk/number-settings.ts';
import { checkSettingNames } from '../../cdk/setting-names.ts';
import { readSettings } from '../../cdk/settings.ts';
import type { Account } from './account.ts';
import { QUOTA_WANTED } from './quota.ts';

export const INIT_HELP = `npx millrace init <environment> [--set <setting>=<value> ...]

Writes cdk/environments/<environment>.json, for the account and region of your AWS credentials where there are any.

  --set <setting>=<value>  one of docs/reference/settings.md; numbers, true, false and lists as in JSON; may be repeated
  --help                   this
`;

export interface InitWorld {
  readonly account: Pick<Account, 'identity' | 'concurrency'>;
  /** With its slash. */
  readonly folder: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

type Values = Readonly<Record<string, unknown>>;

/** Exit code: 0 done, 1 refused, 2 asked wrongly. */
export async function runInit(args: readonly string[], world: InitWorld): Promise<0 | 1 | 2> {
  const wish = wishOf(args);
  if (typeof wish === 'string') {
    const isHelp = wish === INIT_HELP;
    world[isHelp ? 'out' : 'err'](wish);
    return isHelp ? 0 : 2;
  }
  try {
    world.out(await written(wish.environment, wish.given, world));
    return 0;
  } catch (error) {
    world.err(`${(error as Error).message}\n`);
    return 1;
  }
}

function wishOf(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        set: { type: 'string', multiple: true, default: [] },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return INIT_HELP;
    const [environment, other] = positionals;
    if (environment === undefined || other !== undefined || !/^[\w-]+$/.test(environment))
      return 'init takes the name of one environment: npx millrace init production.\n';
    const given = values.set.map((one) => /^(\w+)=(.*)$/s.exec(one));
    const wrong = given.indexOf(null);
    if (wrong >= 0) return `--set ${values.set[wrong]}: say <setting>=<value>.\n`;
    return {
      environment,
      given: Object.fromEntries(given.map((one) => [one?.[1], settingValue(one?.[2] ?? '')])),
    };
  } catch (error) {
    return `${(error as Error).message.split('. ')[0]}. See npx millrace init --help.\n`;
  }
}

/** A number that begins with 0 is a name: the number of an account. */
function settingValue(text: string): unknown {
  if (!/^(true|false|\[.*\]|\{.*\}|0|[1-9]\d{0,8})$/s.test(text)) return text;
  return JSON.parse(text) as unknown;
}

/** What was done, for the person. */
async function written(environment: string, given: Values, world: InitWorld): Promise<string> {
  const { folder } = world;
  const path = `cdk/environments/${environment}.json`;
  checkSettingNames(Object.keys(given), '--set');
  const others = readdirSync(folder).filter(
    (file) => file.endsWith('.json') && !TRACKED.has(file.slice(0, -5)),
  );
  const notes: string[] = [];
  const settings: Values = {
    ...(await ofAccount(world, notes)),
    // Its stacks are called by it: the first has no name of its own.
    ...(others.length === 0 ? {} : { environment }),
    // Of a deployment that has no items of an older release to move, nor a key that is what it is.
    ...{ ownPartitions: true, multiRegionKey: true },
    ...given,
  };
  readSettings((name) => settings[name]);
  write(`${folder}${environment}.json`, path, { $schema: './schema.json', ...settings });
  settingsOf({ environment }, folder);
  return [`Wrote ${path}.`, ...notes, `Next: npx millrace deploy ${environment}`, ''].join('\n');
}

async function ofAccount({ account }: InitWorld, notes: string[]): Promise<Values> {
  try {
    const { account: number, region } = await account.identity();
    notes.push(`For account ${number} in ${region}, and no other.`);
    const quota = await account.concurrency();
    if (quota >= QUOTA_WANTED) return { account: number, region };
    notes.push(
      `Lambda allows ${quota} invocations at once, so none are reserved. Ask for ${QUOTA_WANTED}, and take the lines …Concurrency out then.`,
    );
    return { account: number, region, ...NONE_RESERVED };
  } catch (error) {
    notes.push(`Account, region or quota are not known: ${(error as Error).message}`);
    return {};
  }
}

const NONE_RESERVED: Values = Object.fromEntries(
  Object.entries(NUMBER_SETTINGS).flatMap(([name, { min }]) =>
    min === 0 && name.endsWith('Concurrency') ? [[name, 0]] : [],
  ),
);

function write(file: string, path: string, settings: Values): void {
  try {
    writeFileSync(file, `${JSON.stringify(settings, null, 2)}\n`, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new Error(`There is a file ${path}: it stays as it is. Change it, or name another environment.`);
  }
}
