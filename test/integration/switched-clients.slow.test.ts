// The published Python libraries of Segment and RudderStack, as they come: two settings are changed, and everything arrives, once.
// Skipped where there is no Python 3.11 with venv.
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { run } from '#scripts/deploy-local/child-process.ts';
import { hasPython, pythonProgram } from '#scripts/emulators/python.ts';
import { API_KEY } from '../support/ingestion.ts';
import { CALLS, openSwitched } from '../support/switched/endpoint.ts';

const REQUIREMENTS = new URL('../support/switched/requirements.txt', import.meta.url);
const SEND = fileURLToPath(new URL('../support/switched/send.py', import.meta.url));
const cwd = fileURLToPath(new URL('.', import.meta.url));

describe.skipIf(!(await hasPython(cwd)))('the library in Python', () => {
  it.each([
    ["Segment's", 'segment.analytics', 'plain'],
    ["Segment's, compressed", 'segment.analytics', 'gzip'],
    ["RudderStack's", 'rudderstack.analytics', 'plain'],
    ["RudderStack's, compressed", 'rudderstack.analytics', 'gzip'],
  ])('%s: arrives whole', async (_, module, how) => {
    const switched = await openSwitched();
    try {
      const bin = await pythonProgram({ name: 'switched', python: 'python3', requirements: REQUIREMENTS });
      const args = [SEND, module, switched.url, API_KEY, String(CALLS), how];
      await run({ program: `${bin}/python`, args, cwd, env: process.env });
      switched.expectAll();
      expect(switched.received()).toBe(CALLS + 5);
    } finally {
      await switched.close();
    }
  });
});
