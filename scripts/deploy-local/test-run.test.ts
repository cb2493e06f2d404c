// Goal: tests reach a deployment that is meant for them, and no platform. Method: what is planned, and the command without one.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { deployedRun } from './test-run.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const NOW = new Date('2026-11-27T12:00:00Z');
const RUN = NOW.getTime().toString(36);
const DEPLOYED = {
  region: 'eu-central-1',
  ingestionUrl: 'https://ingestion.example',
  helpdeskUrl: 'https://desk.example',
};
const SANDBOXED = { ...DEPLOYED, sandboxUrl: 'https://sandbox.example/' };
const ASKED = { owner: 'me@shop.example', noDeliveries: false, tests: [] };

describe('a run against a deployment', () => {
  it('has all that makes sense there, with a merchant of its own', () => {
    const run = deployedRun(SANDBOXED, ASKED, {}, NOW);
    expect(run).toMatchObject({
      name: 'Tests of 2026-11-27T12:00:00.000Z',
      connects: true,
      sandboxUrl: 'https://sandbox.example',
      owner: { email: `me+${RUN}@shop.example` },
      tests: ['test/e2e/main-job', 'test/e2e/helpdesk.e2e'],
    });
    expect(run.owner.subject).toBeUndefined();
  });

  it('is refused where platforms would get its events, unless it connects none', () => {
    expect(() => deployedRun(DEPLOYED, ASKED, {}, NOW)).toThrow(/delivers to the platforms themselves/);
    // A sandbox that the deployment does not know of changes nothing.
    expect(() => deployedRun(DEPLOYED, { ...ASKED, sandbox: 'http://x' }, {}, NOW)).toThrow(/themselves/);
    const run = deployedRun(DEPLOYED, { ...ASKED, noDeliveries: true }, {}, NOW);
    expect([run.connects, run.tests]).toEqual([false, ['test/e2e/helpdesk.e2e']]);
    // Tests that are named do not connect any either.
    const named = deployedRun(
      DEPLOYED,
      { ...ASKED, noDeliveries: true, tests: ['test/e2e/main-job'] },
      {},
      NOW,
    );
    expect(named.connects).toBe(false);
  });

  it('needs an owner on AWS, whom Cognito writes to, and none on an emulator', () => {
    const { owner: _, ...nobody } = ASKED;
    expect(() => deployedRun(SANDBOXED, nobody, {}, NOW)).toThrow(/--owner/);
    const emulated = deployedRun(SANDBOXED, nobody, { AWS_ENDPOINT_URL: 'http://127.0.0.1:4566' }, NOW);
    expect(emulated.owner).toEqual({ email: `owner+${RUN}@shop.example`, subject: `tests-${RUN}` });
  });

  it('is refused where nothing would be tested', () => {
    const bare = { ...DEPLOYED, helpdeskUrl: null };
    expect(() => deployedRun(bare, { ...ASKED, noDeliveries: true }, {}, NOW)).toThrow(
      /nothing else is tested/,
    );
  });
});

it.each([
  ['without credentials', {}, /no AWS credentials/],
  [
    'where nothing answers',
    { AWS_ENDPOINT_URL: 'http://127.0.0.1:9', AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'y' },
    /Nothing answers at http:\/\/127\.0\.0\.1:9/,
  ],
])('the command is refused in a sentence %s', async (_what, env, sentence) => {
  const alone = { PATH: process.env.PATH, AWS_EC2_METADATA_DISABLED: 'true', AWS_REGION: 'eu-central-1' };
  const nowhere = { AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null' };
  const command = promisify(execFile)(process.execPath, ['scripts/test-deployed.ts'], {
    cwd: ROOT,
    env: { ...alone, ...nowhere, ...env },
  });
  const { code, stderr } = await command.then(
    () => expect.unreachable(),
    (error: { readonly code: number; readonly stderr: string }) => error,
  );
  expect(code).toBe(1);
  expect(stderr).toMatch(sentence);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});
