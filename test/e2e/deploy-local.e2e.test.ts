// Goal: what `npm run deploy:local` prints at its end works as it is printed, the first time and every time after. Method: its own
// ending before an embedded host in place of an emulator of AWS, and the command run by a shell.
import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { announce } from '../../scripts/deploy-local/announce.ts';
import { localDeployment } from '../../scripts/millrace/local-deployment.ts';
import { curlFolder } from '../support/curl.ts';
import { useHost } from './hosts.ts';

const { session, folder } = useHost();
beforeAll(() => {
  process.env.MILLRACE_DATA_DIR = join(folder, '.local');
});

it.each(['first', 'second'])('a request that is answered 202, after the %s deployment', async () => {
  const directory = join(folder, 'deployed');
  const outputs = { IngestionUrl: session().ingestion_url };
  const printed = await announce(await localDeployment(), { endpoint: 'http://x', outputs, directory });
  const command = printed.slice(printed.indexOf('curl -s')).trim();
  const { stdout } = await promisify(execFile)('sh', ['-ec', `${command} -w '%{http_code}'`], {
    env: { ...process.env, PATH: `${curlFolder(folder)}:${process.env.PATH}` },
  });
  expect(stdout).toMatch(/^\{"success":true.*\}202$/);
  const file = join(directory, 'stack.json');
  const { merchant, ...others } = JSON.parse(readFileSync(file, 'utf8'));
  expect(others).toEqual({ endpoint: 'http://x', outputs });
  expect(printed).toContain(merchant.keys.find(({ kind }: { kind: string }) => kind === 'send').secret);
  expect(printed).toContain(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
