// A real browser on the dashboard of a real host, with its sandbox: nothing of the API is made up.
// Guarantees: whatever asks for an address beyond this machine, reports a breach of the pages' policy, opens a dialog or throws
// in a page is collected, and a suite that looks finds it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type Host, type HostOptions, startHost } from '#services/local/host.ts';
import type { Person } from '#services/local/issuer/sign-in.ts';
import { launchBrowser } from '../pixel/browser.ts';
import { tokensOf } from './people.ts';
import { BUILDS, settled, type Visit } from './visitor.ts';

export { settled, signIn, type Visit } from './visitor.ts';

/** Against hanging only: no test is about how fast a page is. */
const WAIT_MS = Number(process.env.PAGE_WAIT_MS ?? 120_000);

const REPORTS = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) =>
  console.error('policy breach:', violatedDirective, blockedURI, sourceFile, lineNumber), true);`;

let shared: Promise<Browser> | undefined;

/** One for all files of a test process; it ends with the process. */
async function sharedBrowser(): Promise<Browser> {
  const running = await shared;
  if (running?.isConnected()) return running;
  shared = launchBrowser();
  return await shared;
}

export interface DashboardSuite {
  readonly host: () => Host;
  /** A signed-in visitor at the path, the owner by default, once nothing is loading there any more. */
  opened(path?: string, options?: BrowserContextOptions & { readonly as?: Person }): Promise<Page>;
  /** Another visitor, with cookies and storage of his own; gone after the test. */
  visit(options?: BrowserContextOptions): Promise<Visit>;
  /** One who stays for all tests of the file. */
  stay(options?: BrowserContextOptions): Promise<Visit>;
  /** What must not happen, as it happened; a suite may take out what it caused on purpose. */
  readonly complaints: string[];
}

/** Call it once in a file. A test in whose pages something breaks fails. */
export function useDashboard(options: Partial<HostOptions> = {}): DashboardSuite {
  let host: Host;
  let browser: Browser;
  let folder: string;
  const complaints: string[] = [];
  const contexts: BrowserContext[] = [];
  const staying: BrowserContext[] = [];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dashboard-'));
    const started = startHost({ portBase: 0, dataDir: folder, dashboardDir: BUILDS, ...options });
    [host, browser] = await Promise.all([started, sharedBrowser()]);
    await host.dashboard.prepare();
  });
  beforeEach(() => {
    complaints.length = 0;
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
    expect(complaints).toEqual([]);
  });
  afterAll(async () => {
    for (const context of staying.splice(0)) await context.close();
    await host?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const open = async (given: BrowserContextOptions = {}): Promise<Visit> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...given });
    await context.addInitScript(REPORTS);
    // Not by routing, which would hold up each request and keep the browser from remembering any file.
    context.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url());
      if (protocol.startsWith('http') && hostname !== '127.0.0.1')
        complaints.push(`a request beyond this machine: ${request.url()}`);
    });
    context.on('page', (page) => watch(page, complaints));
    return { context, page: await context.newPage() };
  };
  const visit = async (given?: BrowserContextOptions): Promise<Visit> => {
    const opened = await open(given);
    contexts.push(opened.context);
    return opened;
  };
  return {
    host: () => host,
    complaints,
    visit,
    opened: async (path = '/', { as, ...given } = {}) => {
      const visitor = await visit(given);
      await comeSignedIn(visitor, host, as);
      await visitor.page.goto(host.session.origin_url + path);
      await settled(visitor.page);
      return visitor.page;
    },
    stay: async (given) => {
      const visit = await open(given);
      staying.push(visit.context);
      return visit;
    },
  };
}

/** As if the password page were behind him: to go through it in each test takes a third of the tests' time. */
async function comeSignedIn({ context, page }: Visit, host: Host, person?: Person): Promise<void> {
  const { origin_url, issuer_url, owner_email, owner_password } = host.session;
  const { tokens, cookies } = await tokensOf(
    host,
    person ?? { email: owner_email, password: owner_password },
  );
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: issuer_url })));
  // Put there by the page's first document, not by one that is loaded for it. Once: a token is taken once.
  const [origin, token] = [origin_url, tokens.refresh_token].map((one) => JSON.stringify(one));
  await page.addInitScript(`if (location.origin === ${origin} && sessionStorage.getItem('test.begun') === null) {
    sessionStorage.setItem('test.begun', '');
    sessionStorage.setItem('millrace.refresh', ${token});
  }`);
}

function watch(page: Page, complaints: string[]): void {
  page.setDefaultTimeout(WAIT_MS);
  page.on('pageerror', (error) => complaints.push(`a page threw: ${error.message}`));
  page.on('console', (message) => {
    if (/policy breach|Content Security Policy|TrustedHTML|TrustedScript/.test(message.text()))
      complaints.push(message.text());
  });
  page.on('dialog', (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
}
