// A module as Lambda would load it, written into its own address: no file is needed.
import { afterEach, expect, it, vi } from 'vitest';
import type { FunctionSpec } from '../stack/topology.ts';
import { loadFunctions } from './functions.ts';

const ANSWERS_AFTER_MS = 100;

const SPEC: FunctionSpec = {
  id: 'Slow',
  service: 'slow',
  entry: `data:text/javascript,${encodeURIComponent(
    `export const createHandler = async () => () => new Promise((done) => setTimeout(done, ${ANSWERS_AFTER_MS}, 'done'));`,
  )}`,
  environment: {},
  timeoutMs: 20,
};

async function invoke(): Promise<unknown> {
  const functions = await loadFunctions([SPEC], () => ({}));
  return await functions.get('Slow')?.invoke({});
}

afterEach(() => vi.unstubAllEnvs());

it('fails an invocation that takes longer than the template allows', async () => {
  await expect(invoke()).rejects.toThrow('slow did not answer within 0.02 s');
});

it('gives a function more time where tests of whole hosts ask for it', async () => {
  vi.stubEnv('FUNCTION_TIME_FACTOR', '10000');
  expect(await invoke()).toBe('done');
});
