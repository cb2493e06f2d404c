// Runs in every file's process before the file. Files share processes, and vitest takes stubs back before the next test only: a
// variable that the last test of a file stubbed would be there while the next file sets up, and gone when its first test begins.
import { afterAll, vi } from 'vitest';

afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
