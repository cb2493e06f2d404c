// Goal: a deployment takes nothing away that was not named, goes nowhere else, and two do not run at once. Method: the whole command
// with its real clients, before an emulated account; the CDK's part makes real templates in process and "deploys" them by keeping
// them there, as CloudFormation would.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createApp } from '#cdk/app.ts';
import { settingsOf } from '#cdk/environment-file.ts';
import type { Template } from '#cdk/synthesize.ts';
import { type EmulatedAccount, useEmulatedAccount } from '#test/support/account-emulator.ts';
import { scratchFolder } from '#test/support/scratch-folder.ts';
import { awsAccount } from './aws-account.ts';
import { type DeployWish, type DeployWorld, deploy, templatesIn } from './deploy.ts';
import { runInit } from './init.ts';

let aws: EmulatedAccount;
beforeEach(async () => {
  aws = await useEmulatedAccount();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await aws.close();
});

const NOW = Date.parse('2026-11-27T12:00:00Z');
const PRODUCTION = { account: '111122223333', region: 'eu-central-1', multiRegionKey: true };

const folderOfAssemblies = scratchFolder('assemblies');
const assemblies = new Map<string, string>();

/** Folder of the templates of these settings. The same settings are synthesized once. */
function assemblyOf(file: string, settings: Readonly<Record<string, unknown>>): string {
  const asked = JSON.stringify([file, settings]);
  const outdir = assemblies.get(asked) ?? `${folderOfAssemblies}/${assemblies.size}`;
  if (!assemblies.has(asked))
    createApp({ ...settings, 'aws:cdk:bundling-stacks': [] }, { file, outdir }).synth();
  assemblies.set(asked, outdir);
  return outdir;
}

/** Deploys with these files of settings. `during`: while `cdk deploy` runs. */
function shop(files: Readonly<Record<string, object>>) {
  const folder = `${scratchFolder('deploy')}/`;
  mkdirSync(folder, { recursive: true });
  const write = (name: string, settings: object) =>
    writeFileSync(`${folder}${name}.json`, JSON.stringify(settings));
  for (const [name, settings] of Object.entries(files)) write(name, settings);
  const run = async (
    wish: Partial<DeployWish> = {},
    { during, ...others }: Partial<DeployWorld> & { during?: () => unknown } = {},
  ) => {
    const said: string[] = [];
    const calls: string[] = [];
    const cdk = async (args: readonly string[]): Promise<number> => {
      calls.push(args[0] ?? '');
      const at = (flag: string) => args[args.indexOf(flag) + 1] ?? '';
      if (args[0] === 'synth') {
        const [, environment = ''] = at('--context').split('=');
        const settings = settingsOf({ environment }, folder);
        cpSync(assemblyOf(environment, settings), at('--output'), { recursive: true });
      }
      if (args[0] === 'deploy') {
        await during?.();
        keep(at('--app'));
      }
      return 0;
    };
    const world: DeployWorld = {
      account: awsAccount,
      cdk,
      say: (line) => said.push(line),
      now: () => NOW,
      interrupted: new AbortController().signal,
      dns: { resolveMx: async () => [], resolveNs: async () => ['ns-1.awsdns-01.org'] },
      folder,
      ...others,
    };
    const asked = { environment: undefined, removed: [], renamed: false, cdkArgs: [], ...wish };
    const code = await deploy(asked, world).catch((error: Error) => error.message);
    return { code, said, calls };
  };
  const init = () =>
    runInit(['production'], { account: awsAccount, folder, out: () => undefined, err: () => undefined });
  return { run, write, init };
}

function vaultKey() {
  const core = aws.stacks.get('MillraceCore')?.template as Template | undefined;
  return Object.values(core?.Resources ?? {}).find(({ Type }) => Type === 'AWS::KMS::Key')?.Properties;
}

/** What CloudFormation has afterwards. */
function keep(assembly: string): void {
  for (const [name, template] of templatesIn(assembly)) {
    aws.stacks.set(name, { status: 'UPDATE_COMPLETE', template });
    for (const { Type, Properties } of Object.values(template.Resources))
      if (Type === 'AWS::SSM::Parameter')
        aws.parameters.set(String(Properties?.Name), String(Properties?.Value));
  }
}

it('makes everything in an empty account, and the same again changes nothing', async () => {
  const { run } = shop({ production: PRODUCTION });
  const first = await run();
  expect([first.code, first.calls]).toEqual([0, ['synth', 'deploy']]);
  expect(first.said).toEqual([
    'Account 111122223333 in eu-central-1, as arn:aws:iam::111122223333:user/anna.',
    'Nothing is deployed yet: 6 stacks are made.',
  ]);
  const again = await run();
  expect([again.code, again.calls, again.said.length]).toEqual([0, ['synth', 'diff', 'deploy'], 1]);
  expect([...aws.parameters.keys()].sort()).toEqual([
    '/cdk-bootstrap/hnb659fds/version',
    '/millrace/settings',
  ]);
});

it('refuses to take a setting away that was left out, until it is named', async () => {
  const urls = ['https://a.example/cb', 'https://b.example/cb'];
  const { run, write } = shop({
    production: { ...PRODUCTION, alarmEmail: 'a@shop.example', signInCallbackUrls: urls, dashboard: true },
  });
  expect((await run()).code).toBe(0);
  write('production', { ...PRODUCTION, signInCallbackUrls: urls[0], dashboard: false, logLevel: 'debug' });
  const refused = await run();
  expect(refused.code).toBe(
    'alarmEmail (was a@shop.example); https://b.example/cb of signInCallbackUrls; dashboard (was true): deployed, and not in cdk/environments/production.json or not known to this release, so that this deployment would take it away. If that is meant: npx millrace deploy production --remove alarmEmail --remove signInCallbackUrls --remove dashboard',
  );
  expect(refused.calls).toEqual([]);
  const removed = ['dashboard', 'alarmEmail', 'signInCallbackUrls'];
  const meant = await run({ removed });
  // The stack of the pages stays, and is named.
  expect([meant.code, meant.said.filter((line) => /Dashboard|logLevel/.test(line))]).toEqual([
    0,
    [
      'Changed: logLevel: not given → debug',
      'MillraceDashboard is deployed and in the settings no more: it stays until npx cdk destroy MillraceDashboard.',
    ],
  ]);
  expect((await run()).code).toBe(0);
});

it('refuses to leave out products and platforms that are deployed', async () => {
  const { run, write } = shop({ production: PRODUCTION });
  await run();
  write('production', { ...PRODUCTION, products: ['events'], platforms: ['meta', 'ga4'] });
  expect((await run()).code).toMatch(/^helpdesk of products; amazon, google_ads, .* of platforms: deployed/);
  write('production', { ...PRODUCTION, platforms: 'meta' });
  expect((await run({ removed: ['platforms'] })).code).toBe(0);
  write('production', { ...PRODUCTION, platforms: 'ga4,meta' });
  expect((await run()).code).toBe(0);
});

it('refuses to replace a table, a key or an identity, and to let one go', async () => {
  const { run, write } = shop({ production: { ...PRODUCTION, mailDomain: 'desk.example' } });
  await run();
  write('production', { ...PRODUCTION, mailDomain: 'other.example' });
  const mail = await run();
  expect(mail.code).toMatch(
    /^MillraceHelpdesk: the mail identity \w+ would be replaced by an empty one \(EmailIdentity is another\): what is outside knows the old one\nNothing was deployed\. If that is meant: --remove \w+$/,
  );
  expect(mail.calls).toEqual(['synth']);
  // As a release would, in which the construct of the tables is called otherwise.
  const data = aws.stacks.get('MillraceEventsData')?.template as {
    Resources: Record<string, { Type?: string; Properties?: object }>;
  };
  const [[id, table] = ['', {}]] = Object.entries(data.Resources).filter(
    ([, { Type }]) => Type === 'AWS::DynamoDB::Table',
  );
  data.Resources.FormerlyEvents = table;
  data.Resources[id] = { ...table, Properties: { KeySchema: [] } };
  write('production', { ...PRODUCTION, mailDomain: 'desk.example' });
  const lost = await run();
  expect(lost.code).toContain('the table FormerlyEvents would be taken out');
  expect(lost.code).toContain(`the table ${id} would be replaced by an empty one (KeySchema is another)`);
  expect((await run({ removed: ['FormerlyEvents', id] })).code).toBe(0);
});

it('makes a key that other regions can have, where the first deployment says so, and never another', async () => {
  const { multiRegionKey: _, ...silent } = PRODUCTION;
  const { run, write } = shop({ production: silent });
  const unsaid = await run();
  expect([unsaid.code, unsaid.calls]).toEqual([
    'Nothing is deployed yet, and no later deployment changes multiRegionKey: write "multiRegionKey": true into cdk/environments/production.json, or false for a key of this region alone.',
    [],
  ]);
  write('production', PRODUCTION);
  expect((await run()).code).toBe(0);
  expect(vaultKey()).toMatchObject({ MultiRegion: true });
  for (const other of [silent, { ...silent, multiRegionKey: false }]) {
    write('production', other);
    const { code, calls } = await run({ removed: ['multiRegionKey'] });
    expect([code, calls]).toEqual([
      expect.stringMatching(/^multiRegionKey: decided by the first deployment/),
      [],
    ]);
  }
});

it('deploys what npx millrace init wrote', async () => {
  const { run, init } = shop({});
  expect(await init()).toBe(0);
  expect((await run()).code).toBe(0);
  expect(vaultKey()).toMatchObject({ MultiRegion: true });
});

it('leaves the key of a deployment of before as it is', async () => {
  const { multiRegionKey: _, ...silent } = PRODUCTION;
  const { run, write } = shop({ production: { ...silent, multiRegionKey: false } });
  await run();
  expect(vaultKey()).not.toHaveProperty('MultiRegion');
  // Its record knows no such setting.
  const record = aws.parameters.get('/millrace/settings')?.replace(',"multiRegionKey":false', '') ?? '';
  aws.parameters.set('/millrace/settings', record);
  write('production', silent);
  expect((await run()).code).toBe(0);
  write('production', PRODUCTION);
  expect((await run()).code).toMatch(/^multiRegionKey: decided by the first deployment/);
  // One of before there was a record.
  aws.parameters.delete('/millrace/settings');
  expect((await run()).code).toMatch(/the key VaultKey\w+ would be replaced .* \(MultiRegion is another\)/);
});

it('refuses to give functions other addresses, and lets a release behind aliases be hurried', async () => {
  const { run, write } = shop({ production: PRODUCTION });
  await run();
  write('production', { ...PRODUCTION, release: 'gradual' });
  const moved = await run();
  const ids = [...moved.code.toString().matchAll(/--remove (\w+)/g)].map(([, id = '']) => id);
  expect(moved.code).toContain(
    `MillraceEvents: the public address ${ids[0]} would be replaced by another (Qualifier is another): what is outside knows the old one`,
  );
  expect([moved.calls, ids.length]).toEqual([['synth'], 6]);
  expect((await run({ removed: ids })).code).toBe(0);
  write('production', { ...PRODUCTION, release: 'alias' });
  const hurried = await run();
  expect([hurried.code, hurried.said]).toEqual([
    0,
    expect.arrayContaining(['Changed: release: gradual → alias']),
  ]);
  write('production', PRODUCTION);
  expect((await run()).code).toContain('release (was alias)');
});

it('keeps environments of one account apart', async () => {
  const { run, write } = shop({ production: PRODUCTION, staging: PRODUCTION });
  expect((await run()).code).toMatch(/^There are several files of settings \(production, staging\)/);
  expect((await run({ environment: 'production' })).code).toBe(0);
  const other = await run({ environment: 'staging' });
  expect(other.code).toBe(
    'What is deployed here was made from cdk/environments/production.json. For a deployment of its own write "environment": "staging" into staging.json; if the file was renamed, add --renamed.',
  );
  write('staging', { ...PRODUCTION, environment: 'staging' });
  expect((await run({ environment: 'staging' })).code).toBe(0);
  expect([...aws.stacks.keys()].filter((name) => /Core$/.test(name))).toEqual([
    'MillraceCore',
    'MillraceStagingCore',
  ]);
  expect(aws.parameters.get('/millrace/staging/settings')).toContain('"file":"staging"');
  write('live', PRODUCTION);
  expect((await run({ environment: 'live', renamed: true })).code).toBe(0);
});

it.each([
  [
    'another account',
    { account: '444455556666' },
    {},
    /are for account 444455556666, but .* account 111122223333/,
  ],
  ['another region', { region: 'us-east-1' }, {}, /are for region us-east-1, but/],
  ['no bootstrap', {}, { parameters: new Map() }, /npx cdk bootstrap aws:\/\/111122223333\/eu-central-1/],
  ['a quota of 10', {}, { concurrency: 10 }, /allows this account 10 invocations at once/],
  ['a misspelt setting', { alarmMail: 'a@b.de' }, {}, /no setting alarmMail\. Did you mean alarmEmail\?/],
])('builds nothing for %s', async (_what, settings, state, sentence) => {
  Object.assign(aws, state);
  const { code, calls } = await shop({ production: { ...PRODUCTION, ...settings } }).run();
  expect(code).toMatch(sentence);
  expect([calls, [...aws.parameters.keys()].filter((name) => name.startsWith('/millrace'))]).toEqual([
    [],
    [],
  ]);
});

it('makes the secret of a domain once, and never takes the domain away unasked', async () => {
  const domain = { domain: 't.shop.example', domainZone: 'Z1' };
  const { run, write } = shop({ production: { ...PRODUCTION, ...domain } });
  expect((await run()).code).toBe(0);
  const secret = aws.parameters.get('/millrace/edge-secret');
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  write('production', PRODUCTION);
  expect((await run()).code).toMatch(/^domain \(was t\.shop\.example\); domainZone \(was Z1\): deployed/);
  write('production', { ...PRODUCTION, ...domain, firewall: true });
  expect((await run()).code).toBe(0);
  expect(aws.parameters.get('/millrace/edge-secret')).toBe(secret);
});

it('goes on where a check is not permitted, and says which', async () => {
  aws.denied.add('GetAccountSettings');
  const { code, said } = await shop({ production: PRODUCTION }).run();
  expect([code, said[1]]).toEqual([
    0,
    expect.stringMatching(/^Not checked: AWS does not allow it: how many invocations/),
  ]);
});

it('lets one deploy at a time', async () => {
  const { run } = shop({ production: PRODUCTION });
  let second: Awaited<ReturnType<typeof run>> | undefined;
  const first = await run(
    {},
    {
      during: async () => {
        second = await run();
      },
    },
  );
  expect([first.code, second?.code, second?.calls]).toEqual([
    0,
    'arn:aws:iam::111122223333:user/anna is deploying this: wait for it. If that deployment was killed, repeat this after 12:15 UTC.',
    [],
  ]);
  expect(aws.parameters.has('/millrace/deploying')).toBe(false);
});

it('waits for a restore, whose table may be gone', async () => {
  const { run } = shop({ production: PRODUCTION });
  const restoring = {
    ...{
      table: 'Events',
      asked: 'latest',
      to: '2026-11-27T11:00:00.000Z',
      by: 'ben',
      next: 'copy',
      original: 'id',
    },
    ...{ begun_at: '2026-11-27T11:05:00.000Z', reserved: {}, is_protected: true, expiry: null, tags: {} },
    ...{ days: 35, items: null, backup: null },
  };
  aws.parameters.set('/millrace/restoring', JSON.stringify(restoring));
  const { code, calls } = await run();
  expect([code, calls, aws.parameters.has('/millrace/deploying')]).toEqual([
    'A restore is under way since 2026-11-27T11:05:00.000Z: go on with npx millrace restore --table Events --to latest.',
    [],
    false,
  ]);
  aws.parameters.set('/millrace/restoring', '{"table":1}');
  expect((await run()).code).toMatch(/^What \/millrace\/restoring says of a restore is of another release/);
});

it('takes over from a deployment that was killed, once', async () => {
  const { run } = shop({ production: PRODUCTION });
  const old = { who: 'ben', token: 't', renewedAt: '2026-11-27T11:44:59.000Z' };
  aws.parameters.set('/millrace/deploying', JSON.stringify(old));
  const { code, said } = await run();
  expect([code, said[1]]).toEqual([
    0,
    'The deployment of ben ended without letting go of its lock: taken over.',
  ]);
  aws.parameters.set('/millrace/deploying', 'what no release writes');
  expect((await run()).code).toBe(0);
  // Another took it over meanwhile: theirs is left alone.
  const theirs = JSON.stringify({ ...old, token: 'u' });
  await run({}, { during: () => aws.parameters.set('/millrace/deploying', theirs) });
  expect(aws.parameters.get('/millrace/deploying')).toBe(theirs);
});

it('waits for CloudFormation, which goes on after Ctrl-C', async () => {
  const { run } = shop({ production: PRODUCTION });
  const interruption = new AbortController();
  const stopped = await run({}, { interrupted: interruption.signal, during: () => interruption.abort() });
  expect([stopped.code, stopped.said.at(-1)]).toEqual([
    130,
    expect.stringMatching(/^Interrupted\. What CloudFormation has begun/),
  ]);
  expect(aws.parameters.has('/millrace/deploying')).toBe(false);
  const stack = aws.stacks.get('MillraceEvents');
  if (stack !== undefined) stack.status = 'UPDATE_IN_PROGRESS';
  expect((await run()).code).toMatch(/CloudFormation is changing MillraceEvents \(UPDATE_IN_PROGRESS\)/);
  expect(aws.parameters.has('/millrace/deploying')).toBe(false);
  if (stack !== undefined) stack.status = 'UPDATE_ROLLBACK_COMPLETE';
  expect((await run()).code).toBe(0);
});

it('deploys nothing after a Ctrl-C while it is built', async () => {
  const interruption = new AbortController();
  const { run } = shop({ production: PRODUCTION });
  await run();
  interruption.abort();
  const { code, calls } = await run({}, { interrupted: interruption.signal });
  expect([code, calls]).toEqual([130, ['synth']]);
});

it('is refused for an older release that does not know a setting of the newer one', async () => {
  const { run } = shop({ production: PRODUCTION });
  await run();
  const record = JSON.parse(aws.parameters.get('/millrace/settings') ?? '') as { settings: object };
  const newer = { ...record, settings: { ...record.settings, brandNew: 'x' } };
  aws.parameters.set('/millrace/settings', JSON.stringify(newer));
  expect((await run()).code).toMatch(
    /^brandNew \(was x\): deployed, and not in .* or not known to this release/,
  );
});
