// Goal: functions as processes behave as in Lambda: one that overruns its time is killed and answered so, one that ends is begun
// again, what one prints is its invocation's log, and what one keeps in memory is there for the next invocation.
// Method: functions of a line or two through the API of the LocalStack that MILLRACE_DEPLOYED_TO names; skipped where the stack
// was not deployed to LocalStack.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { scratchFolder } from '#test/support/scratch-folder.ts';

const endpoint = process.env.MILLRACE_DEPLOYED_TO ?? '';
const isLocalstack = endpoint !== '' && process.env.MILLRACE_CHECKS_SIGNATURES === '0';
const TIMEOUT_SEC = 2;

const HANDLER = `
let calls = 0;
export async function handler({ text, endless, ends, fails }) {
  calls += 1;
  if (text !== undefined) console.log(text);
  if (endless) for (;;) {}
  if (ends !== undefined) process.exit(ends);
  if (fails !== undefined) throw new RangeError(fails);
  return { calls, pid: process.pid };
}`;

describe.runIf(isLocalstack)('a function as a process', () => {
  beforeAll(async () => {
    await create('works', HANDLER);
    await create('broken', 'export const handler = 7;');
  });

  it('goes on from one invocation to the next, and says what each printed', async () => {
    const first = await invoke('works', { text: 'one' });
    const second = await invoke('works', { text: 'two é' });
    expect([first.error, first.answer.calls, second.answer.calls]).toEqual([null, 1, 2]);
    expect(second.answer.pid).toBe(first.answer.pid);
    expect(first.log).toContain('one\n');
    expect(second.log).toMatch(/^START RequestId: .*\ntwo é\nEND RequestId: /);
  });

  it('is killed when it overruns its time, even where it never pauses, and begun again', async () => {
    const { answer: before } = await invoke('works', {});
    const late = await invoke('works', { text: 'begun', endless: true });
    expect(late.error).toBe('Unhandled');
    expect(late.answer.errorMessage).toContain(`Task timed out after ${TIMEOUT_SEC}.00 seconds`);
    expect(late.log).toContain('begun\n');
    expect(() => process.kill(before.pid, 0)).toThrow('ESRCH');
    const after = await invoke('works', {});
    expect([after.error, after.answer.calls]).toEqual([null, 1]);
    expect(after.answer.pid).not.toBe(before.pid);
  });

  it('that ends in the middle is an error with its status, and begun again', async () => {
    const ended = await invoke('works', { text: 'last words', ends: 3 });
    expect([ended.error, ended.answer.errorType]).toEqual(['Unhandled', 'Runtime.ExitError']);
    expect(ended.answer.errorMessage).toContain('Runtime exited with 3');
    expect(ended.log).toContain('last words\n');
    expect((await invoke('works', {})).answer.calls).toBe(1);
  });

  it('that throws says what, and is the same process afterwards', async () => {
    const { answer: before } = await invoke('works', {});
    const failed = await invoke('works', { fails: 'too far' });
    expect(failed.error).toBe('Unhandled');
    expect(failed.answer).toMatchObject({ errorType: 'RangeError', errorMessage: 'too far' });
    expect((await invoke('works', {})).answer).toEqual({ calls: before.calls + 2, pid: before.pid });
  });

  it('whose handler is none answers why', async () => {
    const { error, answer } = await invoke('broken', {});
    expect([error, answer.errorMessage]).toEqual([
      'Unhandled',
      expect.stringContaining('has no function handler'),
    ]);
  });
});

/** What `HANDLER` returns, or what went wrong. */
interface Answer {
  readonly calls: number;
  readonly pid: number;
  readonly errorType?: string;
  readonly errorMessage?: string;
}

/** LocalStack asks for no signature, but goes by the service that one would name. */
const request = (
  path: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(`${endpoint}/2015-03-31/functions${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization:
        'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/lambda/aws4_request, SignedHeaders=host, Signature=0',
      ...headers,
    },
    body,
  });

async function create(name: string, source: string): Promise<void> {
  const folder = scratchFolder(`function-${name}`);
  writeFileSync(join(folder, 'index.mjs'), source);
  execFileSync('python3', ['-m', 'zipfile', '-c', 'code.zip', 'index.mjs'], { cwd: folder });
  const created = await request(
    '',
    JSON.stringify({
      FunctionName: name,
      Runtime: 'nodejs22.x',
      Handler: 'index.handler',
      Role: 'arn:aws:iam::000000000000:role/test',
      Timeout: TIMEOUT_SEC,
      MemorySize: 128,
      Code: { ZipFile: readFileSync(join(folder, 'code.zip')).toString('base64') },
    }),
  );
  expect(created.status, await created.text()).toBe(201);
}

async function invoke(name: string, event: object) {
  const answered = await request(`/${name}/invocations`, JSON.stringify(event), { 'x-amz-log-type': 'Tail' });
  return {
    error: answered.headers.get('x-amz-function-error'),
    log: Buffer.from(answered.headers.get('x-amz-log-result') ?? '', 'base64').toString(),
    answer: (await answered.json()) as Answer,
  };
}
