// Two releases of this repository on one set of tables and queues, as during a deployment: functions of both take messages of the
// same queues. Each is a process of its own with a folder of its own, which share the merchant, its keys and the vault's key.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { EmulatorUrls } from '#services/local/emulators/start.ts';
import type { Arrival } from '#services/local/sandbox/ledger.ts';
import type { Session } from '#services/local/session.ts';
import { ended, spawnHost } from '../hosts.ts';

/** The release before this one. */
export const EARLIER = '825906d4f69c2902d19756dcc3a0ec60f67bbe4c';
const ROOT = new URL('../../..', import.meta.url).pathname;
const MAX_BYTES = 256 * 1_048_576;

const git = (...args: readonly string[]): Buffer =>
  execFileSync('git', args, { cwd: ROOT, maxBuffer: MAX_BYTES, stdio: ['ignore', 'pipe', 'ignore'] });

/** Why there is no earlier release here; null where there is one. */
export function whyNoEarlier(): string | null {
  try {
    git('cat-file', '-e', `${EARLIER}^{commit}`);
    return null;
  } catch {
    return `git does not have commit ${EARLIER}: a shallow clone, or no repository`;
  }
}

/** Its files in the folder, with what it depends on. */
export function unpackEarlier(folder: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', EARLIER) });
  const lock = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8');
  if (lock(ROOT) === lock(folder)) symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'ignore' });
}

/** What a host must share with another to be the same deployment. */
const SHARED = ['format.json', 'seed.json', 'vault.key'];

export type Release = ReturnType<typeof release>;

/** `cwd`: where its files are; absent: here. Starts again with what it has kept. */
export function release(dataDir: string, { dynamodbUrl, sqsUrl }: EmulatorUrls, cwd?: string) {
  let running: ReturnType<typeof spawnHost> | undefined;
  const lines = (file: string): readonly string[] => {
    const path = join(dataDir, file);
    return existsSync(path)
      ? readFileSync(path, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
      : [];
  };
  return {
    dataDir,
    joins(other: string): void {
      mkdirSync(dataDir, { recursive: true });
      for (const file of SHARED) copyFileSync(join(other, file), join(dataDir, file));
    },
    start(): Promise<Session> {
      running = spawnHost(dataDir, cwd, { MILLRACE_DYNAMODB_URL: dynamodbUrl, MILLRACE_SQS_URL: sqsUrl });
      return running.session;
    },
    /** As functions are replaced: what runs may end. */
    async stop(): Promise<void> {
      if (running !== undefined) await ended(running.child, 'SIGTERM');
    },
    /** What its functions called platforms with. */
    arrivals: () => lines('sandbox.jsonl').map((line) => JSON.parse(line) as Arrival),
    /** Log lines that call an operator: what cannot be read, and what failed. */
    quarantined: () => lines('millrace.log').filter((line) => line.includes('"quarantine"')),
    failures: () => lines('millrace.log').filter((line) => /"level":"?(?:error|50|60)/.test(line)),
  };
}
