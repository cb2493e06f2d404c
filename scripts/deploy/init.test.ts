// Goal: a file that deploys, of what the credentials say and what was given; and none where something is wrong.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { settingsOf } from '#cdk/environment-file.ts';
import { scratchFolder } from '#test/support/scratch-folder.ts';
import { type InitWorld, runInit } from './init.ts';

const IDENTITY = {
  account: '011122223333',
  arn: 'arn:aws:iam::011122223333:user/anna',
  region: 'eu-central-1',
};

let folder: string;
beforeEach(() => {
  folder = `${join(scratchFolder('init'), 'environments')}/`;
  mkdirSync(folder);
  writeFileSync(`${folder}example.json`, '{}');
});

async function init(args: readonly string[], account: Partial<InitWorld['account']> = {}) {
  const said = { out: '', err: '' };
  const code = await runInit(args, {
    account: { identity: async () => IDENTITY, concurrency: async () => 1_000, ...account },
    folder,
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
  });
  return { code, ...said };
}
const read = (name: string) => settingsOf({ environment: name }, folder);

it('writes what the credentials say and what was given', async () => {
  const { code, out } = await init([
    ...[
      'production',
      '--set',
      'alarmEmail=a@shop.example',
      '--set',
      'apiCorsOrigins=["https://app.example"]',
    ],
    ...['--set', 'monthlyUsd=50'],
  ]);
  expect([code, out]).toEqual([
    0,
    'Wrote cdk/environments/production.json.\nFor account 011122223333 in eu-central-1, and no other.\nNext: npx millrace deploy production\n',
  ]);
  expect(read('production')).toEqual({
    ...{ account: '011122223333', region: 'eu-central-1', ownPartitions: true, multiRegionKey: true },
    monthlyUsd: 50,
    ...{ alarmEmail: 'a@shop.example', apiCorsOrigins: ['https://app.example'] },
  });
});

it('reserves nothing in an account with a small quota', async () => {
  const { out } = await init(['production'], { concurrency: async () => 999 });
  expect(out).toContain('Lambda allows 999 invocations at once');
  expect(read('production')).toMatchObject({
    ingestionConcurrency: 0,
    apiConcurrency: 0,
    browserConcurrency: 0,
  });
});

it('names a second environment, and leaves out what nobody says', async () => {
  await init(['production']);
  const identity = async () => await Promise.reject(new Error('There are no AWS credentials.'));
  const { code, out } = await init(['staging'], { identity });
  expect([code, out]).toEqual([0, expect.stringContaining('not known: There are no AWS credentials.')]);
  expect(read('staging')).toEqual({ environment: 'staging', ownPartitions: true, multiRegionKey: true });
});

describe('writes no file', () => {
  it.each([
    ['without a name', [], 2, /one environment/],
    ['of a name that is none', ['../x'], 2, /one environment/],
    ['of two', ['a', 'b'], 2, /one environment/],
    ['with an unknown option', ['a', '--sett', 'x=1'], 2, /init --help/],
    ['with half a setting', ['a', '--set', 'x'], 2, /<setting>=<value>/],
    ['with an unknown setting', ['a', '--set', 'alarmMail=x'], 1, /alarmMail/],
    ['with a value that is none', ['a', '--set', 'monthlyUsd=-5'], 1, /monthlyUsd/],
  ] as const)('%s', async (_, args, code, sentence) => {
    expect(await init(args)).toMatchObject({ code, err: expect.stringMatching(sentence) });
    expect(existsSync(`${folder}a.json`)).toBe(false);
  });

  it('over another one', async () => {
    writeFileSync(`${folder}production.json`, '{ "region": "eu-west-1" }');
    expect(await init(['production'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('stays as it is'),
    });
    expect(readFileSync(`${folder}production.json`, 'utf8')).toBe('{ "region": "eu-west-1" }');
  });
});
