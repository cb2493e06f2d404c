// The first steps in a page of the dashboard: signing in, and waiting for what is loading.
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import type { Person } from '#services/local/issuer/sign-in.ts';
import type { Session } from '#services/local/session.ts';

/** One build for all suites, and for the next run. */
export const BUILDS = fileURLToPath(new URL('../../../.local/dashboard', import.meta.url));

const LOOK_EVERY_MS = 25;

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
}

/** Of a host. */
export interface SignInPlace {
  readonly session: Pick<Session, 'origin_url' | 'owner_email' | 'owner_password'>;
}

/** From any page of the dashboard to the password page and back; as the shop's owner by default. */
export async function signIn({ page }: Visit, host: SignInPlace, path = '/', person?: Person): Promise<void> {
  const { origin_url, owner_email, owner_password } = host.session;
  await page.goto(origin_url + path);
  await page.getByLabel('E-mail').fill(person?.email ?? owner_email);
  await page.getByLabel('Password').fill(person?.password ?? owner_password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(origin_url + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** Until nothing of the page is still loading. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  const loading = page.locator('[aria-label=Loading], [aria-busy=true]');
  // Playwright's own wait looks again after half a second, which most pages do not need.
  while ((await loading.count()) > 0) await page.waitForTimeout(LOOK_EVERY_MS);
}
