// Every function as AWS gets it: bundled, then loaded by Node in a process of its own, outside this repository, with the
// environment of the template and nothing else. A bundle that dies on load fails here and not after a deployment.
import { execFile } from 'node:child_process';
import { globSync, readdirSync, statSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { BUILD_OPTIONS } from '../../cdk/constructs/bundle.ts';
import { type Synthesized, synthesizeApp } from '../../cdk/synthesize.ts';
import { SWAGGER_UI_FILES } from '../../lib/adapters/swagger-ui/files.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { startBytes } from '../support/start-bytes.ts';
import { resourcesOf, serviceOf } from './synthesized.ts';

/** Parts too: what waits for one kind of request must not fail there first. */
const LOAD = `
const [handlerFile, ...parts] = process.argv.slice(1);
const { handler } = await import(handlerFile);
for (const part of parts) await import(part);
if (typeof handler !== 'function') throw new Error('handler is a ' + typeof handler);
process.stdout.write(process.version);
`;
/** Ingestion is waited for: what it has to load at a cold start is bounded. 10 KB of it say what its requests were, in lines and spans, 5 all errors of the API in words. */
const INGESTION_MAX_BYTES = 511_000;
/** So that the next library in the API is a decision; every platform adds some 6 KB, every resource some 10, pages of old events 46. */
const API_MAX_BYTES = 1_444_000;

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const outdir = scratchFolder('bundles');
let app: Synthesized;

beforeAll(() => {
  app = synthesizeApp({ ephemeral: true, bundle: true, outdir });
});

describe('bundles', () => {
  it('load under Node 24 and export a handler', async () => {
    const loaded = await Promise.all(
      bundles().map(async ({ service, file, environment }) => {
        const { stdout } = await promisify(execFile)(
          process.execPath,
          [
            '--input-type=module',
            '--eval',
            LOAD,
            ...[file, ...partsBeside(file)].map((path) => pathToFileURL(path).href),
          ],
          { cwd: outdir, env: environment },
        );
        return `${service} ${stdout.split('.')[0]}`;
      }),
    );
    expect(loaded).toEqual(bundles().map(({ service }) => `${service} v24`));
  });

  // The template here has no mail and no browser; the way to S3 was once left out of both and of all that reads old events.
  it('import as they load only what Node brings, each service that there is', () => {
    // All at once: what they share is parsed once, and what a module imports does not depend on who else imports it.
    const entryPoints = globSync('services/*/*/lambda.ts', { cwd: ROOT });
    const { metafile } = buildSync({ ...BUILD_OPTIONS, entryPoints, outdir, write: false, metafile: true });
    const built = Object.entries(metafile.outputs);
    expect(built.flatMap(([, { entryPoint = [] }]) => entryPoint).toSorted()).toEqual(
      expect.arrayContaining(entryPoints.toSorted()),
    );
    const left = built.flatMap(([file, { imports }]) =>
      imports
        .filter(({ external, kind, path }) => external && kind === 'import-statement' && !isBuiltin(path))
        .map(({ path }) => `${file}: ${path}`),
    );
    expect(left).toEqual([]);
  });

  it('carry the files of the documentation page where they are looked for', () => {
    const api = bundles().find(({ service }) => service === 'api');
    const { resolve } = createRequire(pathToFileURL(api?.file ?? '').href);
    for (const file of Object.values(SWAGGER_UI_FILES))
      expect(resolve(file).startsWith(dirname(api?.file ?? '')), file).toBe(true);
  });

  it('start from few bytes: what only some requests need waits beside', () => {
    const sizes = new Map(
      bundles().map(({ service, file }) => {
        const start = startBytes(file);
        const all = readdirSync(dirname(file))
          .filter((name) => name.endsWith('.mjs'))
          .map((name) => statSync(join(dirname(file), name)).size);
        const inAll = all.reduce((sum, size) => sum + size, 0);
        return [service, { start: start.byteLength, gzip: gzipSync(start).length, inAll }] as const;
      }),
    );
    console.table(Object.fromEntries(sizes));
    expect(sizes.get('ingestion')?.start).toBeLessThanOrEqual(INGESTION_MAX_BYTES);
    const api = sizes.get('api');
    expect(api?.start).toBeLessThanOrEqual(API_MAX_BYTES);
    // Tables of regions and phones, and the HTTP client: previews and tests only.
    expect(api?.inAll).toBeGreaterThan((api?.start ?? 0) + 300_000);
  });
});

const partsBeside = (file: string): string[] =>
  readdirSync(dirname(file))
    .filter((name) => name.startsWith('part-'))
    .map((name) => join(dirname(file), name));

function bundles() {
  return resourcesOf(app, 'AWS::Lambda::Function').map((lambda) => {
    const { Code: code, Environment: environment } = lambda.Properties as {
      readonly Code: { readonly S3Key: string };
      readonly Environment: { readonly Variables: Readonly<Record<string, unknown>> };
    };
    return {
      service: serviceOf(lambda),
      file: join(outdir, `asset.${code.S3Key.replace(/\.zip$/, '')}`, 'index.mjs'),
      environment: {
        ...Object.fromEntries(
          Object.entries(environment.Variables).map(([name, value]) => [name, resolved(value)]),
        ),
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
      },
    };
  });
}

/** A value of the shape that CloudFormation would put there. */
function resolved(value: unknown): string {
  if (typeof value === 'string') return value;
  const node = value as Readonly<Record<string, unknown>>;
  const joined = node['Fn::Join'] as [string, readonly unknown[]] | undefined;
  if (joined !== undefined) return joined[1].map(resolved).join(joined[0]);
  const attribute = node['Fn::GetAtt'] as [string, string] | undefined;
  if (attribute !== undefined) return `arn:aws:service:us-east-1:000000000000:${attribute[0]}`;
  const id = String(node.Ref);
  const type = app.template.Resources[id]?.Type;
  return type === 'AWS::SQS::Queue' ? `https://sqs.us-east-1.amazonaws.com/000000000000/${id}` : id;
}
