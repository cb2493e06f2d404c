// A check that cannot fail proves nothing: pages that are broken in one place must fail the one test that is there for it. In a copy
// of the repository, built and served from there; the same tests pass in it on the pages as they are.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserWanted } from '#test/support/pixel/browser.ts';
import { copyRepository, type RepositoryCopy } from '#test/support/repository-copy.ts';

interface Mutant {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Of services/dashboard/testing, and a part of the name of the one test in it. */
  readonly suite: string;
  readonly test: string;
}

const PAGES = 'services/dashboard/src/';
const MUTANTS: readonly Mutant[] = [
  {
    name: 'take the name from every field of a form',
    file: `${PAGES}parts/field.tsx`,
    from: '<label htmlFor={id}',
    to: '<label',
    suite: 'matrix.pages.test.ts',
    test: 'says what it is in each state: /replays$',
  },
  {
    name: 'keep the ticket before in the place of the one that is open',
    file: `${PAGES}pages/helpdesk/inbox/inbox.tsx`,
    from: 'key={state.id}',
    to: '',
    suite: 'resilience.pages.test.ts',
    test: 'for one ticket is not for the one that Back shows',
  },
  {
    name: 'keep one draft for all tickets',
    file: `${PAGES}pages/helpdesk/inbox/drafts.ts`,
    from: 'keyOf = (person: string, ticketId: string): string =>',
    to: "keyOf = (person: string, _: string, ticketId = ''): string =>",
    suite: 'inbox.pages.test.ts',
    test: 'keeps a draft for its ticket',
  },
  {
    name: 'ask once only, although the token has run out',
    file: `${PAGES}app/api.tsx`,
    from: 'if (response.status !== 401) return response;',
    to: 'if (response.status !== 4010) return response;',
    suite: 'resilience.pages.test.ts',
    test: 'goes on when the token has run out',
  },
  {
    name: 'send a change as often as its button is pressed',
    file: `${PAGES}app/api.tsx`,
    from: 'if (isRunning.current) return;',
    to: '',
    suite: 'failures.pages.test.ts',
    test: 'a double press sends one request',
  },
  {
    name: 'go without a policy for scripts',
    file: 'cdk/dashboard-site.ts',
    from: "'content-security-policy': contentSecurityPolicy(signIn),",
    to: '',
    suite: 'pages.pages.test.ts',
    test: 'hears of a breach of the policy',
  },
];

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
}

/** What a broken page never does is waited for in vain: not for as long as a slow machine may take. */
const IN_VAIN = { PAGE_WAIT_MS: '20000' };

describe.runIf(browserWanted)('pages that', () => {
  let copy: RepositoryCopy;
  beforeAll(() => {
    copy = copyRepository('pages-mutant');
  });
  afterAll(() => copy.remove());

  /** What became of the tests of these mutants. */
  async function ran(mutants: readonly Mutant[], env = {}): Promise<Report & { readonly said: string }> {
    const report = join(copy.path, 'report.json');
    writeFileSync(report, '{}');
    const suites = new Set(mutants.map(({ suite }) => `services/dashboard/testing/${suite}`));
    const { stdout, stderr } = await copy.runWith(
      env,
      join('node_modules', 'vitest/vitest.mjs'),
      ...['run', '--mode', 'pages', '--reporter=json', `--outputFile=${report}`],
      ...['-t', mutants.map(({ test }) => test).join('|'), ...suites],
    );
    return { ...(JSON.parse(readFileSync(report, 'utf8')) as Report), said: stdout + stderr };
  }

  // One of them: that all pass on the pages as they are is what `npm run test:pages` is for; here, that the copy is whole.
  it('are as they are pass', async () => {
    const whole = await ran(MUTANTS.slice(-1));
    expect(whole, whole.said).toMatchObject({ numPassedTests: 1, numFailedTests: 0 });
  });

  it.each(MUTANTS)('$name are noticed', async (mutant) => {
    const path = join(copy.path, mutant.file);
    const good = readFileSync(path, 'utf8');
    expect(good).toContain(mutant.from);
    writeFileSync(path, good.replaceAll(mutant.from, mutant.to));
    const broken = await ran([mutant], IN_VAIN);
    writeFileSync(path, good);
    expect(broken, broken.said).toMatchObject({ numPassedTests: 0, numFailedTests: 1 });
  });
});
