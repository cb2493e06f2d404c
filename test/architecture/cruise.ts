// Runs dependency-cruiser over a tree and reads its answer. Refuses to call a tree clean that it did not see: every
// TypeScript file on disk must be among the modules cruised.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Where the rooms are; scripts and tests are cruised too, but stand outside them. */
export const ROOMS = ['lib', 'services', 'cdk'] as const;
const FOLDERS = [...ROOMS, 'scripts', 'test'];
const CONFIG = join(ROOT, '.dependency-cruiser.mjs');
const BINARY = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');

export type Cruise = ReturnType<typeof cruise>;

interface Report {
  readonly modules: readonly { readonly source: string }[];
  readonly summary: { readonly violations: readonly { from: string; to: string; rule: { name: string } }[] };
}

type Probe = readonly [path: string, text: string, ...rest: unknown[]];

/** A small tree of such files in a folder that has the packages of this repository. */
export function plantTree(folder: string, files: readonly Probe[]): void {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const [path, text] of files) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

export function cruise(root: string) {
  const folders = FOLDERS.filter((folder) => existsSync(join(root, folder)));
  const args = [BINARY, '--config', CONFIG, '--output-type', 'json', ...folders];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  // A cruise that broke off writes no report; its own words are the reason.
  if (!stdout.startsWith('{')) throw new Error(`dependency-cruiser gave no report: ${stderr || stdout}`);
  const report = JSON.parse(stdout) as Report;
  return {
    /** TypeScript modules of the rooms the cruise saw, sorted. */
    modules: report.modules
      .map(({ source }) => source)
      .filter(isRoomModule)
      .sort(),
    /** TypeScript files of the rooms on disk, sorted. */
    files: globSync(
      ROOMS.map((room) => `${room}/**/*.{ts,tsx}`),
      { cwd: root },
    )
      .filter(isRoomModule)
      .sort(),
    violations: report.summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
  };
}

const isRoomModule = (path: string): boolean =>
  ROOMS.some((room) => path.startsWith(`${room}/`)) &&
  /\.tsx?$/.test(path) &&
  !/(?:^|\/)(?:dist|node_modules|cdk\.out)\//.test(path);

/** Runtime dependency → the folders that may import it. */
export async function vendorRooms(): Promise<Readonly<Record<string, readonly string[]>>> {
  const config = (await import(pathToFileURL(CONFIG).href)) as { VENDOR_ROOMS: Record<string, string[]> };
  return config.VENDOR_ROOMS;
}
