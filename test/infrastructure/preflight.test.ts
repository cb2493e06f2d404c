// Goal: what would end a deployment after minutes, or half-way, is said in a sentence before anything is bundled. Method: the
// checks against accounts of each kind, and the command itself where there are no credentials.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { contextOf } from '../../scripts/deploy/context-of.ts';
import { type Account, checkAccount } from '../../scripts/deploy/preflight.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ACCOUNT: Account = {
  identity: async () => ({
    account: '111122223333',
    arn: 'arn:aws:iam::111122223333:user/anna',
    region: 'eu-central-1',
  }),
  bootstrapVersion: async () => '30',
  concurrency: async () => 1_000,
};
const NONE_RESERVED = {
  browserConcurrency: 0,
  ingestionConcurrency: 0,
  apiConcurrency: 0,
  helpdeskApiConcurrency: 0,
};
const check = (account: Partial<Account> = {}, settings = {}) =>
  checkAccount(settings, { ...ACCOUNT, ...account });

describe('before a deployment', () => {
  it('names account, person and region, and has nothing else to say where all is well', async () => {
    expect((await check()).notes).toEqual([
      'Account 111122223333 in eu-central-1, as arn:aws:iam::111122223333:user/anna.',
    ]);
  });

  it('says how to bootstrap an account that never was', async () => {
    await expect(check({ bootstrapVersion: async () => null })).rejects.toThrow(
      'npx cdk bootstrap aws://111122223333/eu-central-1',
    );
  });

  it('refuses what a new account’s quota of 10 refuses, and says both ways out', async () => {
    const concurrency = async () => 10;
    await expect(check({ concurrency })).rejects.toThrow(
      /allows this account 10 invocations at once.*the settings reserve 550.*Service Quotas.*or set browserConcurrency, ingestionConcurrency, apiConcurrency, helpdeskApiConcurrency to 0/,
    );
    const { notes } = await check({ concurrency }, NONE_RESERVED);
    expect(notes[1]).toMatch(/allows this account 10 invocations at once: enough to try it/);
    expect((await check({ concurrency: async () => 650 })).notes).toHaveLength(1);
    await expect(check({ concurrency: async () => 649 })).rejects.toThrow(/half-way/);
  });

  it('goes on where a check is not allowed, and says so', async () => {
    const denied = async () => Promise.reject(new Error('AWS does not allow it: ssm:GetParameter'));
    expect((await check({ bootstrapVersion: denied })).notes[1]).toBe(
      'Not checked: AWS does not allow it: ssm:GetParameter',
    );
  });

  it('refuses settings before anything is asked of AWS', async () => {
    const identity = async () => Promise.reject(new Error('asked'));
    await expect(check({ identity }, { alarmEmail: 'notanemail' })).rejects.toThrow(/alarmEmail must be one/);
  });

  it('reads what goes to the CDK', () => {
    expect(contextOf(['-c', 'environment=a', '--context', 'x=1=2', '--context=y=3', '--verbose'])).toEqual({
      environment: 'a',
      x: '1=2',
      y: '3',
    });
  });

  it.each([
    ['credentials', { AWS_REGION: 'eu-central-1' }, /There are no AWS credentials: aws configure/],
    ['region', { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'y' }, /No AWS region is set/],
  ])('ends with a sentence where there are no %s, and bundles nothing', (_what, env, sentence) => {
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      ['scripts/deploy/main.ts', '-c', 'environment=example'],
      {
        cwd: ROOT,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: '/nonexistent', AWS_EC2_METADATA_DISABLED: 'true', ...env },
      },
    );
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(sentence)]);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
