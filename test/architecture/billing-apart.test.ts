// Goal: a plan that is used up, unpaid or gone never keeps an event out or a delivery back. Method: nothing that takes, works
// on or delivers events has any of billing in it, so that there is nothing in them that could ask.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { BUILD_OPTIONS } from '../../cdk/constructs/bundle.ts';
import { ROOT } from './cruise.ts';

const OF_BILLING = /(?:^|\/)(?:billing|stripe|payment)[^/]*(?:\/|$)/;

it('billing is in the API and in no other function', async () => {
  const folder = join(ROOT, 'services/events');
  const services = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'lambda.ts')));
  expect(services.length).toBeGreaterThanOrEqual(8);
  const entryPoints = Object.fromEntries(services.map((name) => [name, join(folder, name, 'lambda.ts')]));
  const outdir = join(ROOT, 'nowhere');
  const { metafile } = await build({ ...BUILD_OPTIONS, entryPoints, outdir, write: false, metafile: true });
  const { inputs } = metafile;
  const reached = (from: string): ReadonlySet<string> => {
    const seen = new Set([from]);
    for (const file of seen) for (const { path } of inputs[file]?.imports ?? []) seen.add(path);
    return seen;
  };
  const withBilling = services.filter((name) =>
    [...reached(`services/events/${name}/lambda.ts`)].some((file) => OF_BILLING.test(file)),
  );
  expect(withBilling).toEqual(['api']);
});
