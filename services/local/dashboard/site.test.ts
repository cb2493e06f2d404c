// Goal: the local host serves the pages as CloudFront does, and what is built fits the budgets. Method: the real build, asked as
// a function URL is asked.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { initialOf, MAX_SIZES, type Manifest, manifestOf, sizesOf } from '#test/support/dashboard/sizes.ts';
import { buildDashboard } from './build.ts';
import { createDashboardSite, type DashboardSite } from './site.ts';

/** Shared with the suites in a browser, and with the next run. */
const BUILDS = fileURLToPath(new URL('../../../.local/dashboard', import.meta.url));
interface Answer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isBase64Encoded?: boolean;
}

const problems: string[] = [];
let site: DashboardSite;
let built: string;
let manifest: Manifest;

async function ask(rawPath: string, method = 'GET', at = site): Promise<Answer & { readonly text: string }> {
  const answer = (await at.serve({ rawPath, requestContext: { http: { method } } })) as Answer;
  return { ...answer, text: Buffer.from(answer.body, answer.isBase64Encoded ? 'base64' : 'utf8').toString() };
}

const siteIn = (folder: string): DashboardSite =>
  createDashboardSite({
    folder,
    issuer: 'http://127.0.0.1:9999',
    clientId: 'a-client',
    onError: (problem) => problems.push(problem),
  });

beforeAll(async () => {
  built = await buildDashboard(BUILDS);
  manifest = manifestOf(built);
  site = siteIn(BUILDS);
});

describe('the site', () => {
  it.each(['/', '/events', '/event', '/sign-in/callback', '/a.b/c.js', '/v2'])(
    'answers %s with the app',
    async (path) => {
      const { statusCode, headers, text } = await ask(path);
      expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-cache',
      ]);
      expect(text).toContain('<div id="app">');
      expect(headers['content-security-policy']).toContain("connect-src 'self' http://127.0.0.1:9999;");
      expect(headers['content-security-policy']).not.toMatch(/unsafe|nonce/);
    },
  );

  it('says where people sign in, and keeps hashed files for good', async () => {
    expect(JSON.parse((await ask('/config.json')).text)).toEqual({
      issuer: 'http://127.0.0.1:9999',
      client_id: 'a-client',
    });
    const entry = Object.values(manifest).find(({ file }) => file.endsWith('.js'))?.file ?? '';
    const { statusCode, headers } = await ask(`/${entry}`);
    expect([statusCode, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
  });

  it.each([
    ['/assets/none.js', 404],
    ['/assets/../../../package.json', 404],
    ['/assets/%2e%2e/%2e%2e/package.json', 404],
    ['/.vite/manifest.json', 200],
  ])('serves files of the site only: %s is %i', async (path, status) => {
    const { statusCode, text } = await ask(path);
    expect(statusCode).toBe(status);
    expect(text).not.toMatch(/devDependencies|isEntry/);
  });

  it('takes no other method', async () => {
    expect((await ask('/', 'POST')).statusCode).toBe(405);
    expect((await ask('/', 'HEAD')).statusCode).toBe(200);
  });

  it('says that it could not be built, and tries again', async () => {
    // A file where the folder should be.
    const broken = siteIn(fileURLToPath(import.meta.url));
    await broken.prepare();
    expect((await ask('/', 'GET', broken)).statusCode).toBe(503);
    expect(problems).toHaveLength(2);
  });
});

describe('what is built', () => {
  it('is small at the first page, at each page and together', () => {
    const { initial, pages, allScripts, styles } = sizesOf(built);
    expect(initial).toBeLessThanOrEqual(MAX_SIZES.initial);
    expect(pages.size).toBeGreaterThan(5);
    expect([...pages].filter(([, bytes]) => bytes > MAX_SIZES.page)).toEqual([]);
    expect(allScripts).toBeLessThanOrEqual(MAX_SIZES.all);
    expect(styles.length).toBeGreaterThan(0);
    for (const style of styles) expect(style).toBeLessThanOrEqual(MAX_SIZES.style);
  });

  it('is in few files at the first page', () => {
    expect(initialOf(built).size).toBeLessThanOrEqual(2);
  });

  it('asks for widgets when they are wanted, never at first', () => {
    const initial = [...initialOf(built)].map((name) =>
      readFileSync(join(built, manifest[name]?.file ?? ''), 'utf8'),
    );
    expect(initial.join('')).not.toContain('base-ui');
  });

  it('has no way to make markup or code of text', () => {
    // React alone knows innerHTML, for a property that no file of ours uses.
    const sources = Object.values(manifest).filter(({ src }) => src?.startsWith('src/'));
    for (const { file } of sources)
      expect(readFileSync(join(built, file), 'utf8').replaceAll(/dangerouslySetInnerHTML/g, '')).not.toMatch(
        /insertAdjacentHTML|document\.write\(|new Function\(/,
      );
  });
});
