// The dashboard's files, built once for each state of its sources: `<folder>/<hash>`.
// Guarantees: a folder of that name is complete; of two concurrent builds one is kept; older ones are removed. Without
// changes it only costs reading the sources.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { siteBuild } from '#cdk/dashboard-site.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** All inputs of a build; the lockfile stands for the libraries. */
const SOURCES = [
  'services/dashboard/{index.html,vite.config.ts}',
  'services/dashboard/{src,public}/**/*.*',
  'lib/client/*.ts',
  'package-lock.json',
];
const BUILD_MAX_MS = 120_000;

/** Path of the built files. Throws with the build's output. */
export async function buildDashboard(folder: string): Promise<string> {
  const built = join(folder, hashOf());
  if (existsSync(built)) return built;
  mkdirSync(folder, { recursive: true });
  const scratch = join(folder, `.building-${process.pid}`);
  await runBuild(scratch);
  try {
    renameSync(scratch, built);
  } catch (error) {
    // A concurrent build was faster.
    rmSync(scratch, { recursive: true, force: true });
    if (!existsSync(built)) throw error;
  }
  for (const name of readdirSync(folder))
    if (/^[0-9a-f]{16}$/.test(name) && join(folder, name) !== built)
      rmSync(join(folder, name), { recursive: true, force: true });
  return built;
}

function hashOf(): string {
  const hash = createHash('sha256');
  for (const path of globSync(SOURCES, { cwd: ROOT }).sort()) {
    if (/\.test\.tsx?$/.test(path)) continue;
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(ROOT, path)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

/** In a process of its own, so that the host keeps running and keeps none of its memory. */
function runBuild(outDir: string): Promise<void> {
  const { args, env } = siteBuild(outDir);
  return new Promise((done, reject) => {
    execFile(process.execPath, args, { cwd: ROOT, timeout: BUILD_MAX_MS, env }, (error, out, err) => {
      if (error === null) done();
      else reject(new Error(`The dashboard could not be built: ${err || out || error.message}`));
    });
  });
}
