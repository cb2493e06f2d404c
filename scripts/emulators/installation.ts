// What is downloaded once and kept between runs, outside the repository: `MILLRACE_CACHE_DIR`, by default the user's cache
// folder. Guarantees: an installation is there whole or not at all, whoever else installs it at the same time or is killed
// while doing so; one whose description changed is made anew.
import { hash, randomBytes } from 'node:crypto';
import { access, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Installation {
  readonly name: string;
  /** Files that say what is installed. */
  readonly describedBy: readonly URL[];
  readonly fill: (folder: string) => Promise<void>;
}

/** The folder with everything `fill` put into it. */
export async function installed({ name, describedBy, fill }: Installation): Promise<string> {
  const texts = await Promise.all(describedBy.map((file) => readFile(file, 'utf8')));
  const folder = join(cacheFolder(), `${name}-${hash('sha256', texts.join('\0'), 'hex').slice(0, 12)}`);
  if (await exists(folder)) return folder;
  const draft = `${folder}.${process.pid}-${randomBytes(3).toString('hex')}`;
  await mkdir(draft, { recursive: true });
  try {
    await fill(draft);
    await rename(draft, folder).catch(async (error: unknown) => {
      // Somebody else was faster: theirs is as good.
      if (!(await exists(folder))) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}

function cacheFolder(): string {
  const { MILLRACE_CACHE_DIR: own, XDG_CACHE_HOME: caches } = process.env;
  return own || join(caches || join(homedir(), '.cache'), 'millrace');
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
