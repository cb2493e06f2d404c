// Goal: what would end a deployment after minutes, or half-way, is said in a sentence before anything is bundled. Method: the
// checks against accounts of each kind, and the command itself where there are no credentials.
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { checkInstallation } from '../../scripts/deploy/command.ts';
import { checkAccount } from '../../scripts/deploy/preflight.ts';
import { contextOf } from '../../scripts/deploy-local/context-of.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Of the caller's environment, what no program of ours looks at: what Node compiled of the CDK for one is there for the next. */
const { PATH, NODE_COMPILE_CACHE } = process.env;
type Asked = Parameters<typeof checkAccount>[1];
const ACCOUNT: Asked = {
  identity: async () => ({
    account: '111122223333',
    arn: 'arn:aws:iam::111122223333:user/anna',
    region: 'eu-central-1',
  }),
  parameter: async () => '30',
  sendsToAnyone: async () => true,
  concurrency: async () => 1_000,
};
const NONE_RESERVED = {
  browserConcurrency: 0,
  ingestionConcurrency: 0,
  apiConcurrency: 0,
  helpdeskApiConcurrency: 0,
};
const check = (account: Partial<Asked> = {}, settings = {}) =>
  checkAccount(settings, { ...ACCOUNT, ...account });

describe('before a deployment', () => {
  it('names account, person and region, and has nothing else to say where all is well', async () => {
    expect((await check()).notes).toEqual([
      'Account 111122223333 in eu-central-1, as arn:aws:iam::111122223333:user/anna.',
    ]);
  });

  it('says how to bootstrap an account that never was', async () => {
    await expect(check({ parameter: async () => null })).rejects.toThrow(
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
    expect((await check({ concurrency: async () => 650 })).notes[1]).toMatch(/650 .* too few for traffic/);
    await expect(check({ concurrency: async () => 649 })).rejects.toThrow(/half-way/);
  });

  it('goes on where a check is not allowed, and says so', async () => {
    const denied = async () => Promise.reject(new Error('AWS does not allow it: ssm:GetParameter'));
    expect((await check({ parameter: denied })).notes[1]).toBe(
      'Not checked: AWS does not allow it: ssm:GetParameter',
    );
  });

  it.each([
    [async () => [{ exchange: 'INBOUND-SMTP.eu-central-1.amazonaws.com.' }], []],
    [
      async () => [{ exchange: 'mx.elsewhere.example' }],
      [/no MX record of desk\.example to inbound-smtp\.eu-/],
    ],
    [async () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' })), [/no MX record/]],
    [
      async () => Promise.reject(new Error('ETIMEOUT')),
      [/^Not checked: the MX record of desk.example \(ETIMEOUT\)/],
    ],
  ])('says of mail what is not ready yet, and goes on (%#)', async (resolveMx, sentences) => {
    const settings = { mailDomain: 'desk.example' };
    const { notes } = await checkAccount(settings, ACCOUNT, { resolveMx });
    expect(notes.slice(1)).toEqual(sentences.map((sentence) => expect.stringMatching(sentence)));
    const sandboxed = { ...ACCOUNT, sendsToAnyone: async () => false };
    expect((await checkAccount(settings, sandboxed, { resolveMx })).notes[1]).toMatch(/in its sandbox/);
  });

  const DOMAIN = {
    domain: 't.shop.example',
    domainZone: 'Z0123456789ABC',
    account: '111122223333',
    region: 'eu-central-1',
    edgeSecret: 'x'.repeat(32),
  };
  const known = (zones: Readonly<Record<string, string>>) => async (name: string) => {
    const server = zones[name];
    if (server === undefined) throw Object.assign(new Error('x'), { code: 'ENOTFOUND' });
    return [server];
  };

  it.each([
    [known({ 'shop.example': 'ns-1.awsdns-01.org' }), []],
    [known({ 't.shop.example': 'ns-1.awsdns-01.org', 'shop.example': 'ns.other.example' }), []],
    [known({ 'shop.example': 'ns.other.example' }), [/^DNS finds shop\.example at ns\.other\.example, /]],
    [
      async () => Promise.reject(new Error('ETIMEOUT')),
      [/^Not checked: the zone of t\.shop\.example in DNS \(ETIMEOUT\)/],
    ],
  ])('says of a domain whose zone DNS finds elsewhere, and goes on (%#)', async (resolveNs, sentences) => {
    const { notes } = await checkAccount(DOMAIN, ACCOUNT, { resolveNs });
    expect(notes.slice(1)).toEqual(sentences.map((sentence) => expect.stringMatching(sentence)));
  });

  it('refuses a domain that is in no zone, unless its certificate is there already', async () => {
    const resolveNs = known({ example: 'ns.top.example' });
    await expect(checkAccount(DOMAIN, ACCOUNT, { resolveNs })).rejects.toThrow(
      /^DNS knows no zone of t\.shop\.example \(domain\), .*domainZone first\.$/,
    );
    const domainCertificate = 'arn:aws:acm:us-east-1:111122223333:certificate/a';
    const { notes } = await checkAccount({ ...DOMAIN, domainCertificate }, ACCOUNT, { resolveNs });
    expect(notes).toHaveLength(1);
  });

  it('refuses another Node and another CDK than the release is tested with', () => {
    const root = `${scratchFolder('installation')}/`;
    mkdirSync(`${root}node_modules/aws-cdk`, { recursive: true });
    const write = (name: string, content: object) => writeFileSync(root + name, JSON.stringify(content));
    write('package.json', { devDependencies: { node: '24.1.0', 'aws-cdk': '2.5.0' } });
    write('node_modules/aws-cdk/package.json', { version: '2.5.0' });
    expect(() => checkInstallation(root, '24.1.0')).not.toThrow();
    expect(() => checkInstallation(root, '20.11.0')).toThrow(
      'node 20.11.0 runs here, and this release needs 24.1.0: npm ci, and start it as npx millrace deploy.',
    );
    write('node_modules/aws-cdk/package.json', { version: '2.4.0' });
    expect(() => checkInstallation(root, '24.1.0')).toThrow(/^aws-cdk 2\.4\.0 runs here, .* needs 2\.5\.0/);
    expect(() => checkInstallation()).not.toThrow();
  });

  it('refuses settings before anything is asked of AWS', async () => {
    const identity = async () => Promise.reject(new Error('asked'));
    await expect(check({ identity }, { alarmEmail: 'notanemail' })).rejects.toThrow(/alarmEmail must be one/);
  });

  it('refuses credentials of another account, and another region, than the settings are for', async () => {
    expect((await check({}, { account: '111122223333', region: 'eu-central-1' })).notes).toHaveLength(1);
    const parameter = async () => Promise.reject(new Error('asked'));
    await expect(check({ parameter }, { account: '444455556666' })).rejects.toThrow(
      'These settings are for account 444455556666, but the AWS credentials and environment are for account 111122223333.',
    );
    await expect(check({}, { region: 'us-east-1' })).rejects.toThrow(
      /for region us-east-1, but .* eu-central-1/,
    );
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
      ['scripts/millrace/bin.mjs', 'deploy', 'example'],
      {
        cwd: ROOT,
        encoding: 'utf8',
        env: { PATH, NODE_COMPILE_CACHE, HOME: '/nonexistent', AWS_EC2_METADATA_DISABLED: 'true', ...env },
      },
    );
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(sentence)]);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('cdk deploy itself', () => {
  const folder = scratchFolder('bare-deploy');
  let runs = 0;

  /** The app as the command line of the CDK runs it, with an AWS that was never bootstrapped and allows 10 invocations. */
  async function runApp(bundlingStacks: readonly string[], context: object, env: object) {
    const asked: string[] = [];
    runs += 1;
    const outdir = `${folder}/${runs}`;
    const aws = createServer((request, response) => {
      const target = String(request.headers['x-amz-target'] ?? request.url);
      asked.push(target);
      const isParameter = target === 'AmazonSSM.GetParameter';
      response.writeHead(isParameter ? 400 : 200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(
          isParameter ? { __type: 'ParameterNotFound' } : { AccountLimit: { ConcurrentExecutions: 10 } },
        ),
      );
    }).listen(0, '127.0.0.1');
    await once(aws, 'listening');
    const cdk = { 'aws:cdk:bundling-stacks': bundlingStacks, ...context };
    const ran = await promisify(execFile)(process.execPath, ['scripts/deploy/app.ts'], {
      cwd: ROOT,
      env: {
        PATH,
        NODE_COMPILE_CACHE,
        HOME: '/nonexistent',
        CDK_CONTEXT_JSON: JSON.stringify(cdk),
        CDK_OUTDIR: outdir,
        CDK_VALIDATION: 'false',
        AWS_ENDPOINT_URL: `http://127.0.0.1:${(aws.address() as AddressInfo).port}`,
        AWS_ACCESS_KEY_ID: 'x',
        AWS_SECRET_ACCESS_KEY: 'y',
        AWS_REGION: 'eu-central-1',
        ...env,
      },
    }).then(
      ({ stderr }) => ({ code: 0, stderr }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
    );
    aws.close();
    return { ...ran, asked, hasBuilt: existsSync(`${outdir}/manifest.json`) };
  }
  const CREDENTIALS = { CDK_DEFAULT_ACCOUNT: '111122223333', CDK_DEFAULT_REGION: 'eu-central-1' };
  const EXAMPLE = { environment: 'example' };

  it('is refused by the app before anything is built', async () => {
    const ran = await runApp(['**'], EXAMPLE, CREDENTIALS);
    expect(ran).toMatchObject({ code: 1, hasBuilt: false });
    expect(ran.stderr.trim()).toBe(
      'The CDK has not been bootstrapped in account 111122223333, region eu-central-1: npx cdk bootstrap aws://111122223333/eu-central-1',
    );
    expect(ran.asked.sort()).toEqual([
      expect.stringContaining('account-settings'),
      'AmazonSSM.GetParameter',
      'AmazonSSM.GetParameter',
    ]);
  });

  it.each([
    ['builds nothing, as `cdk list` and `cdk destroy`', [], EXAMPLE, CREDENTIALS],
    ['has no credentials, as on a laptop that looks at templates', ['None'], EXAMPLE, {}],
    ['is ephemeral, on an emulator', ['None'], { ephemeral: 'true' }, CREDENTIALS],
    [
      'comes from millrace deploy, which has looked',
      ['None'],
      EXAMPLE,
      { ...CREDENTIALS, MILLRACE_ACCOUNT_CHECKED: 'true' },
    ],
  ] as const)('is not looked at where it %s', async (_what, bundling, context, env) => {
    const ran = await runApp(bundling, context, env);
    expect(ran).toMatchObject({ code: 0, asked: [], hasBuilt: true });
  });
});
