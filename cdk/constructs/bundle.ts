// services/<name>/lambda.ts as AWS gets it: an ES module, and beside it a module for each part the code imports on demand,
// so that a cold start reads and compiles what every request needs and nothing else.
// Guarantees: no Docker, the same bytes from the same source. Refuses: a service without lambda.ts.
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType, BundlingOutput, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { AssetOptions } from 'aws-cdk-lib/aws-s3-assets';
import { type BuildOptions, buildSync } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Of every function. */
export const BUILD_OPTIONS: BuildOptions = {
  absWorkingDir: ROOT,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  outExtension: { '.js': '.mjs' },
  chunkNames: 'part-[hash]',
  minify: true,
  sourcemap: false,
  logLevel: 'warning',
  // How undici is told, by its own switch, to leave out a second HTTP parser, an experiment that is off: 165 KB.
  define: { esbuildDetection: '1' },
  // The SDK that was tested is the SDK that runs; the one in the runtime is larger, slower to load and changes. Left out is
  // only what it would import, lazily, to find credentials anywhere but in the environment, where Lambda puts them; and what
  // Fastify would load only without the compilers and the logger it is given. What a module imports as it loads is never
  // left out: the clients of S3 and Lambda import event streams, although no service here reads one of theirs.
  external: [
    '@aws-sdk/credential-provider-http',
    '@aws-sdk/credential-provider-ini',
    '@aws-sdk/credential-provider-login',
    '@aws-sdk/credential-provider-process',
    '@aws-sdk/credential-provider-sso',
    '@aws-sdk/credential-provider-web-identity',
    '@fastify/ajv-compiler',
    '@fastify/fast-json-stringify-compiler',
    '@smithy/credential-provider-imds',
    'pino',
  ],
  // The AI SDK's zod is a copy of its own: it takes all of zod, languages included, and what two parts share is a module that
  // starts with both.
  alias: {
    'zod/v4': './node_modules/zod/v4/index.cjs',
    'zod/v4/core': './node_modules/zod/v4/core/index.cjs',
    'zod/v4/mini': './node_modules/zod/v4/mini/index.cjs',
    'zod/v4/locales/en.js': './node_modules/zod/v4/locales/en.cjs',
  },
  // CommonJS dependencies inside an ES module call `require`, which does not exist there. The import has a name of its
  // own because a bundled module may import `createRequire` too.
  banner: {
    js: "import{createRequire as millraceCreateRequire}from'node:module';const require=millraceCreateRequire(import.meta.url);",
  },
};

/** Files that a service reads out of a package: where it looks for them, below its bundle. */
const FILES_BESIDE: Readonly<Record<string, readonly string[]>> = {
  // As lib/adapters/swagger-ui reads them; a test opens them in the bundle.
  'events/api': ['swagger-ui-dist/swagger-ui-bundle.js', 'swagger-ui-dist/swagger-ui.css'],
  'helpdesk/api': ['swagger-ui-dist/swagger-ui-bundle.js', 'swagger-ui-dist/swagger-ui.css'],
};

function copyPackageFile(file: string, outdir: string): void {
  const to = `${outdir}/node_modules/${file}`;
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(`${ROOT}node_modules/${file}`, to);
}

/** Code whose handler is `index.handler`. */
export function bundled(service: string): Code {
  const folder = `${ROOT}services/${service}`;
  const entry = `${folder}/lambda.ts`;
  if (!existsSync(entry)) throw new Error(`There is no services/${service}/lambda.ts to deploy.`);
  return Code.fromAsset(
    folder,
    builtHere((outdir) => {
      buildSync({ ...BUILD_OPTIONS, entryPoints: { index: entry }, outdir });
      for (const file of FILES_BESIDE[service] ?? []) copyPackageFile(file, outdir);
    }),
  );
}

/** An asset that this process builds, without Docker. */
export function builtHere(build: (outdir: string) => void): AssetOptions {
  return {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never run: `build` does it.
      image: DockerImage.fromRegistry('none'),
      outputType: BundlingOutput.NOT_ARCHIVED,
      local: {
        tryBundle(outdir) {
          build(outdir);
          return true;
        },
      },
    },
  };
}
