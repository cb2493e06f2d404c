// The dashboard's files at the common origin, as CloudFront serves them in AWS: the same rule for paths (edge.js), the
// same headers. Built on the first request, or earlier with `prepare`.
// Guarantees: only files of the build are served; a failed build is a 503 that says so, and is tried again.
import { globSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { HASHED_CACHE, HASHED_FILES, OTHER_CACHE, siteHeaders } from '#cdk/dashboard-site.ts';
import type { Handler } from '../functions/functions.ts';
import { buildDashboard } from './build.ts';

interface SiteOptions {
  /** Folder of the builds; absolute. */
  readonly folder: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly onError: (problem: string, error: unknown) => void;
}

export interface DashboardSite {
  readonly serve: Handler;
  /** Builds what is missing; a failure is reported, and the next request tries again. */
  prepare(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

type Files = ReadonlyMap<string, Buffer>;
type Edge = (event: { readonly request: { readonly uri: string } }) => { readonly uri: string };

export function createDashboardSite({ folder, issuer, clientId, onError }: SiteOptions): DashboardSite {
  const config = Buffer.from(JSON.stringify({ issuer, client_id: clientId }));
  const headers = siteHeaders([new URL(issuer).origin]);
  const edge = readEdge();
  let files: Promise<Files> | undefined;
  const load = (): Promise<Files> => {
    files ??= buildDashboard(folder)
      .then((built) => new Map([...readFiles(built), ['/config.json', config]]))
      .catch((error: unknown) => {
        files = undefined;
        onError('the dashboard could not be built', error);
        throw error;
      });
    return files;
  };
  return {
    prepare: () =>
      load().then(
        () => undefined,
        () => undefined,
      ),
    async serve(event) {
      const { rawPath, requestContext } = event as {
        readonly rawPath: string;
        readonly requestContext: { readonly http: { readonly method: string } };
      };
      if (!/^(?:GET|HEAD)$/.test(requestContext.http.method))
        return plain(405, 'This is a page: it is read.', { allow: 'GET, HEAD' });
      const found = await load().catch(() => undefined);
      if (found === undefined)
        return plain(503, 'The dashboard could not be built; see millrace.log.', { 'retry-after': '5' });
      const { uri } = edge({ request: { uri: rawPath } });
      const body = found.get(uri);
      if (body === undefined) return plain(404, 'There is no such file.', headers);
      const cache = uri.startsWith(HASHED_FILES) ? HASHED_CACHE : OTHER_CACHE;
      return {
        statusCode: 200,
        headers: {
          ...headers,
          'cache-control': cache,
          'content-type': TYPES[extname(uri)] ?? 'application/octet-stream',
        },
        body: body.toString('base64'),
        isBase64Encoded: true,
      };
    },
  };
}

function readFiles(built: string): [string, Buffer][] {
  const paths = globSync(['*.*', 'assets/*'], { cwd: built });
  return paths.map((path) => [`/${path}`, readFileSync(join(built, path))]);
}

/** Runs it as CloudFront does: a script that defines a function of this name. */
function readEdge(): Edge {
  const code = readFileSync(new URL('../../dashboard/edge.js', import.meta.url), 'utf8');
  return runInNewContext(`${code};handler`) as Edge;
}

const plain = (statusCode: number, text: string, headers: Readonly<Record<string, string>>) => ({
  statusCode,
  headers: { ...headers, 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body: `${text}\n`,
});
