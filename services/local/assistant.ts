// The assistant of a host on a laptop: which model, from the environment of `npm start`, and its key from a file of the data
// folder, in the place of a parameter of Systems Manager.
import { existsSync } from 'node:fs';
import { CORE_ENV } from '../../lib/core/topology.ts';
import type { DataDir } from './data-dir.ts';

const KEY_FILE = 'ai-api-key';
const SETTINGS: Readonly<Record<string, string>> = {
  AI_PROVIDER: 'aiProvider',
  AI_MODEL: 'aiModel',
  AI_BASE_URL: 'aiBaseUrl',
};

/** Settings of the deployment. */
export function assistantContext(
  env: Readonly<Record<string, string | undefined>>,
  dataDir: DataDir,
): Readonly<Record<string, string>> {
  const given = Object.entries(SETTINGS).flatMap(([name, setting]) => {
    const value = env[name];
    return value === undefined ? [] : [[setting, value] as const];
  });
  const hasKey = existsSync(dataDir.file(KEY_FILE));
  return { ...Object.fromEntries(given), ...(hasKey ? { aiApiKeyParameter: `/local/${KEY_FILE}` } : {}) };
}

/** There is no Systems Manager here: the key comes from the file. */
export function withKeyFile(
  environment: Readonly<Record<string, string>>,
  dataDir: DataDir,
): Readonly<Record<string, string>> {
  const { [CORE_ENV.aiApiKeyParameter]: parameter, ...others } = environment;
  return parameter === undefined ? environment : { ...others, AI_API_KEY_FILE: dataDir.file(KEY_FILE) };
}
