// A real browser on the dashboard of a real host, with its sandbox: nothing of the API is made up.
// Guarantees: whatever asks for an address beyond this machine, reports a breach of the pages' policy, opens a dialog or throws
// in a page is collected, and a suite that looks finds it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type Host, type HostOptions, startHost } from '../../../services/local/host.ts';
import { launchBrowser } from '../pixel/browser.ts';

/** One build for all suites, and for the next run. */
export const BUILDS = fileURLToPath(new URL('../../../.local/dashboard', import.meta.url));

const REPORTS = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) =>
  console.error('policy breach:', violatedDirective, blockedURI, sourceFile, lineNumber), true);`;

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
}

export interface DashboardSuite {
  readonly host: () => Host;
  /** Another visitor, with cookies and storage of his own; closed after the test. */
  visit(options?: BrowserContextOptions): Promise<Visit>;
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
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dashboard-'));
    const started = startHost({ portBase: 0, dataDir: folder, dashboardDir: BUILDS, ...options });
    [host, browser] = await Promise.all([started, launchBrowser()]);
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
    await browser?.close();
    await host?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    host: () => host,
    complaints,
    async visit(contextOptions = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...contextOptions });
      contexts.push(context);
      await context.addInitScript(REPORTS);
      await context.route(
        ({ hostname }) => hostname !== '127.0.0.1',
        (route) => {
          complaints.push(`a request beyond this machine: ${route.request().url()}`);
          return route.abort();
        },
      );
      context.on('page', (page) => watch(page, complaints));
      const page = await context.newPage();
      return { context, page };
    },
  };
}

function watch(page: Page, complaints: string[]): void {
  page.setDefaultTimeout(15_000);
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

interface Login {
  readonly email: string;
  readonly password: string;
}

/** From any page of the dashboard to the password page, and back to where it began. As the owner, unless somebody is named. */
export async function signIn({ page }: Visit, host: Host, path = '/', as?: Login): Promise<void> {
  const { origin_url, owner_email, owner_password } = host.session;
  await page.goto(origin_url + path);
  await page.getByLabel('E-mail').fill(as?.email ?? owner_email);
  await page.getByLabel('Password').fill(as?.password ?? owner_password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(origin_url + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** Until nothing of the page is still loading. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  // By the debugger: the pages' policy lets nobody evaluate anything inside.
  await page.locator('[aria-label=Loading], [aria-busy=true]').first().waitFor({ state: 'detached' });
}
