// A module of lib as AWS gets it: bundled with the settings of every function, and loaded where there is no node_modules.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { BUILD_OPTIONS } from '../../cdk/constructs/bundle.ts';

/** Built into `outdir`. Runs a program and reads the JSON it prints; it gets the address of the bundle and `args` as its arguments. */
export async function bundledModule(path: string, outdir: string) {
  const entry = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  await build({ ...BUILD_OPTIONS, entryPoints: { index: entry }, outdir });
  const bundle = pathToFileURL(join(outdir, 'index.mjs')).href;
  return async (program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) => {
    const options = ['--input-type=module', '--eval', program, bundle, ...args];
    const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: outdir, env });
    return JSON.parse(stdout) as unknown;
  };
}
