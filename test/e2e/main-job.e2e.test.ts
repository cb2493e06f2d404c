// Goal: the main job holds end to end. Method: from outside, against the stack MILLRACE_SESSION_FILE names, or else against
// an embedded host of this test's own.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Host, startHost } from '../../services/local/host.ts';
import { clearRunningEmulators, runningEmulators } from '../support/emulators.ts';
import { type MainJobTarget, mainJob } from './main-job.ts';

const sessionFile = process.env.MILLRACE_SESSION_FILE;
const errors: string[] = [];
let host: Host | undefined;
let folder: string | undefined;
let target: MainJobTarget;

beforeAll(async () => {
  if (sessionFile === undefined) {
    folder = mkdtempSync(join(tmpdir(), 'main-job-'));
    await clearRunningEmulators();
    host = await startHost({
      portBase: 0,
      dataDir: folder,
      emulators: runningEmulators(),
      onError: (text) => errors.push(text),
    });
  }
  const session = host?.session ?? (JSON.parse(readFileSync(sessionFile ?? '', 'utf8')) as Host['session']);
  target = {
    ingestionUrl: session.ingestion_url,
    apiUrl: session.api_url,
    sandboxUrl: session.sandbox_url,
    apiKey: session.api_key,
    sessionJwt: session.session_jwt,
  };
});
afterAll(async () => {
  await host?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

describe('one event in', () => {
  it('is accepted, normalized, delivered once to each platform, readable and counted', async () => {
    const figures = await mainJob(target);
    console.log(JSON.stringify(figures));
    // A lone event waits for no batch; loose, because this machine may be busy. `npm run bench` has the figure.
    if (sessionFile === undefined) expect(figures.deliveredAfterMs).toBeLessThan(10_000);
    expect(errors).toEqual([]);
  });

  it('fails the check when a platform does not have it: the check can fail', async () => {
    const elsewhere = { ...target, apiKey: 'evk_test_none' };
    await expect(mainJob(elsewhere)).rejects.toThrow();
  });
});
