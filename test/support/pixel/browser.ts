// The browser of the tests: the machine's own Chromium, headless. Nothing is downloaded.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Where Debian puts it. The headless shell is the same engine without windows, and takes a third less of the processor. */
const DEBIAN_PATHS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** CHROMIUM_PATH, or what Debian has installed; undefined when there is none. */
export function chromiumPath(): string | undefined {
  return [process.env.CHROMIUM_PATH, ...DEBIAN_PATHS].find((path) => path && existsSync(path));
}

/** True where a missing browser is a failure and not a reason to skip: in CI, unless it found that the machine can have none. */
export const requiresBrowser = ({ CI, NO_BROWSER }: NodeJS.ProcessEnv): boolean =>
  isSet(CI) && !isSet(NO_BROWSER);

/** Whether a suite that needs a browser can run, or has to run and fail. */
export const browserWanted = chromiumPath() !== undefined || requiresBrowser(process.env);

function isSet(flag: string | undefined): boolean {
  return flag !== undefined && flag !== '' && flag !== '0' && flag !== 'false';
}

const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Starts a browser, which the caller closes. `hosts` are names that resolve to 127.0.0.1; no other is reached.
 * Throws a sentence that says what to install when there is none.
 */
export async function launchBrowser(hosts: readonly string[] = []): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined)
    throw new Error(
      'No Chromium: install it (apt-get install chromium-headless-shell) or set CHROMIUM_PATH.',
    );
  const rules = [...hosts.map((host) => `MAP ${host} 127.0.0.1`), 'MAP * ~NOTFOUND', 'EXCLUDE 127.0.0.1'];
  return await chromium.launch({
    executablePath,
    args: [...ARGS, `--host-resolver-rules=${rules.join(', ')}`],
  });
}
