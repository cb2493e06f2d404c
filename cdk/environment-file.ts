// The settings of a deployment: one file, cdk/environments/<name>.json, which every deployment reads whole. So no deployment
// takes away what another one has brought, which settings on a command line did by being left out of the next one.
// Refuses: settings with `-c`, but for what is ephemeral; names that are no setting; a file that is no JSON.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { isObject } from './context.ts';
import { checkSettingNames } from './setting-names.ts';

/** Which file, of several: `-c environment=staging`. */
const ENVIRONMENT = 'environment';
export const FOLDER = fileURLToPath(new URL('./environments/', import.meta.url));
/** Not of a deployment. */
export const TRACKED: ReadonlySet<string> = new Set(['example', 'schema']);
/** What the CDK itself, its feature flags and its lookups are called has other characters. */
const SETTING_LIKE = /^[A-Za-z]\w*$/;

type Values = Readonly<Record<string, unknown>>;

/**
 * What this deployment is to be. `context`: what came with `-c`, and whatever else is in the context of the CDK. `folder`:
 * instead of cdk/environments.
 */
export function settingsOf(context: Values, folder = FOLDER): Values {
  const given = Object.fromEntries(Object.entries(context).filter(([name]) => SETTING_LIKE.test(name)));
  const { [ENVIRONMENT]: _, ...settings } = given;
  const names = Object.keys(settings);
  checkSettingNames(names, 'With -c, or in the context of cdk.json');
  const name = fileOf(context, folder);
  if (name === undefined) return given;
  if (names.length > 0)
    throw new Error(
      `${names.join(', ')}: settings are not given with -c or in cdk.json, because the next deployment would not know of them. Write them into ${pathOf(name)}.`,
    );
  return readFile(name, folder);
}

/** Name of the file, without ending; undefined for what is ephemeral: made for one run, and gone with it. */
export function fileOf(context: Values, folder = FOLDER): string | undefined {
  if (String(context.ephemeral) === 'true') return undefined;
  if (context[ENVIRONMENT] !== undefined) return String(context[ENVIRONMENT]);
  const name = onlyFile(folder);
  if (name === undefined)
    throw new Error(
      `There is no file of settings. Make one: npx millrace init production (docs/reference/settings.md says what may be in it).`,
    );
  return name;
}

const pathOf = (name: string): string => `cdk/environments/${name}.json`;

function onlyFile(folder: string): string | undefined {
  const names = readdirSync(folder)
    .flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -'.json'.length)] : []))
    .filter((name) => !TRACKED.has(name))
    .sort();
  if (names.length > 1)
    throw new Error(
      `There are several files of settings (${names.join(', ')}): say which: npx millrace deploy ${names[0]}, and with -c environment=${names[0]} where the CDK itself is called.`,
    );
  return names[0];
}

function readFile(name: string, folder: string): Values {
  const path = pathOf(name);
  if (!/^[\w-]+$/.test(name))
    throw new Error(`Environment ${name}: name a file of cdk/environments without its ending.`);
  const file = `${folder}${name}.json`;
  if (!existsSync(file)) throw new Error(`There is no file ${path}.`);
  const problems: ParseError[] = [];
  const text = readFileSync(file, 'utf8');
  const values: unknown = parse(text, problems, { allowTrailingComma: true });
  const [problem] = problems;
  if (problem !== undefined) {
    const line = text.slice(0, problem.offset).split('\n').length;
    throw new Error(`${path}, line ${line}: it is no JSON (${printParseErrorCode(problem.error)}).`);
  }
  if (!isObject(values)) throw new Error(`${path} must be a JSON object.`);
  const { $schema: _, ...settings } = values;
  checkSettingNames(Object.keys(settings), path);
  if (![undefined, '', name].includes(settings[ENVIRONMENT] as string | undefined))
    throw new Error(`${path}: the setting environment must be ${name}, the name of the file.`);
  return settings;
}
