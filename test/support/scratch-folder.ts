import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** A new folder: inside a test removed with it; at the top of a file, or of a `describe`, when that has ended. */
export function scratchFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `millrace-${name}-`));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    onTestFinished(remove);
  } catch {
    afterAll(remove);
  }
  return folder;
}
