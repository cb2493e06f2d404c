// Stripe's own mock server (https://github.com/stripe/stripe-mock): refuses requests that its published description of the API
// does not allow, and answers the rest with samples. Built by Go from the one pinned version, once, outside the repository.
// Skipped with a sentence where there is no Go or no network; never in continuous integration.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { run } from '#scripts/deploy-local/child-process.ts';
import { freePort, startServer } from '#scripts/deploy-local/server-process.ts';
import { installed } from '#scripts/emulators/installation.ts';
import pinned from './stripe-mock.json' with { type: 'json' };

export const stripeMockRequired = process.env.CI === 'true';

const GO_PLACES = ['go', '/usr/local/go/bin/go'];

export interface StripeMock {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Or why there is none. */
export async function startStripeMock(): Promise<StripeMock | { readonly missing: string }> {
  const go = await findGo();
  if (go === undefined) return { missing: 'There is no Go to build stripe-mock with.' };
  let folder: string;
  try {
    folder = await installed({
      name: 'stripe-mock',
      describedBy: [new URL('./stripe-mock.json', import.meta.url)],
      fill: (into) =>
        run({
          program: go,
          args: ['install', `${pinned.module}@${pinned.version}`],
          cwd: into,
          // Without optimizations, which take a third of the build and serve a few requests.
          env: {
            ...process.env,
            GOBIN: into,
            CGO_ENABLED: '0',
            GOFLAGS: `-buildvcs=false '-gcflags=all=-N -l'`,
          },
        }),
    });
  } catch (error) {
    return { missing: `stripe-mock cannot be built: ${String(error).slice(0, 500)}` };
  }
  const url = `http://127.0.0.1:${await freePort()}`;
  const server = await startServer({
    name: 'stripe-mock',
    // Refused with 401: it listens.
    readyUrl: url,
    program: join(folder, 'stripe-mock'),
    args: ['-http-addr', new URL(url).host],
    cwd: folder,
    env: {},
  });
  return { url, stop: () => server.stop() };
}

async function findGo(): Promise<string | undefined> {
  for (const place of GO_PLACES) {
    try {
      await promisify(execFile)(place, ['version']);
      return place;
    } catch {
      // Not here.
    }
  }
  return undefined;
}
