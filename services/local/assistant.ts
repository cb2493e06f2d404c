// The assistant of a host on a laptop: which model, from the environment of `npm start`, and its key from a file of the data
// folder, in the place of a parameter of Systems Manager.
import { existsSync } from 'node:fs';
import type { DataDir } from './data-dir.ts';

export const AI_KEY_FILE = 'ai-api-key';
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
  const given = Object.entries(SETTINGS).flatMap(([name, setting]) =>
    env[name] === undefined ? [] : [[setting, env[name]] as const],
  );
  const hasKey = existsSync(dataDir.file(AI_KEY_FILE));
  return { ...Object.fromEntries(given), ...(hasKey ? { aiApiKeyParameter: `/local/${AI_KEY_FILE}` } : {}) };
}
