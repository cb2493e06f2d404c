// Goal: `npm run dashboard` serves the pages from their sources beside a running host, and a person signs in there. Method: the
// command itself, in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { settled, signIn, useDashboard } from '#test/support/dashboard/browser.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';
import { developmentOrigin } from '../../local/dashboard/development.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

describe.runIf(browserWanted)('npm run dashboard', () => {
  const suite = useDashboard({ hasHelpdeskSample: false });
  let server: ChildProcess;
  let said = '';
  beforeAll(() => {
    const { dashboard } = (
      JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
        scripts: Readonly<Record<string, string>>;
      }
    ).scripts;
    const [tool = '', ...args] = (dashboard ?? '').split(' ');
    // In CI its output would be coloured, in the middle of the address too.
    const env = {
      ...process.env,
      MILLRACE_DATA_DIR: suite.host().dataDir,
      NODE_ENV: 'development',
      NO_COLOR: '1',
    };
    // Not by npm, which would leave its child behind when it is ended.
    server = spawn(join(ROOT, 'node_modules/.bin', tool), args, { cwd: ROOT, env });
    for (const stream of [server.stdout, server.stderr])
      stream?.on('data', (text: Buffer) => {
        said += text.toString();
      });
  });
  afterAll(async () => {
    if (server.exitCode !== null) return;
    const gone = new Promise((done) => server.once('exit', done));
    server.kill('SIGTERM');
    await gone;
  });

  it('signs in, and draws what it gets from the host', async () => {
    const origin = developmentOrigin(suite.host().session.origin_url);
    await expect.poll(() => said).toContain(origin);
    const visit = await suite.visit();
    visit.page.setDefaultTimeout(60_000);
    const host = suite.host();
    await signIn(visit, { ...host, session: { ...host.session, origin_url: origin } }, '/platforms');
    await settled(visit.page);
    expect(await visit.page.getByRole('button', { name: 'Test' }).count()).toBe(PLATFORMS.length);
    // From the sources, not from a build.
    const served = await fetch(`${origin}/src/app/pages.ts`);
    expect([served.status, (await served.text()).includes('PAGES')]).toEqual([200, true]);
  });
});
