// Answers on the wire, including the ones no server should give.
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './faults.ts';
import type { PlatformSandbox, SandboxAnswer } from './platforms/platform-sandbox.ts';

const CHUNK = Buffer.alloc(65_536, 'x');
const SLOW_STEPS = 20;

/** Sends the answer of a request no fault has struck. */
export function writeAnswer(response: ServerResponse, answer: SandboxAnswer): void {
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body);
}

/** Sends, or withholds, what the fault asks for. `answer` is what the platform would have said. */
export async function writeFault(
  response: ServerResponse,
  fault: Fault,
  answer: SandboxAnswer,
  sandbox: PlatformSandbox,
): Promise<void> {
  switch (fault.kind) {
    case '429':
      return writeAnswer(response, withRetryAfter(sandbox.provoked.throttled, fault.retry_after));
    case '500':
      return writeAnswer(response, sandbox.provoked.unavailable);
    case '401':
      return writeAnswer(response, sandbox.provoked.unauthorized);
    case 'hang':
    case 'timeout_before_accept':
    case 'timeout_after_accept':
      // The socket stays open without a word until the client gives up or the sandbox closes.
      return;
    case 'reset':
    case 'reset_after_accept':
      response.socket?.resetAndDestroy();
      return;
    case 'slow_body':
      return writeSlowly(response, answer, fault.duration_ms);
    case 'huge_body':
      return writeHuge(response, fault.size_bytes);
    case 'invalid_json':
      return writeAnswer(response, {
        ...answer,
        status: 200,
        body: `{"unfinished": ["${answer.body.slice(0, 20)}`,
      });
    case 'html':
      return writeAnswer(response, {
        status: fault.status,
        headers: { 'content-type': fault.json === undefined ? 'text/html' : 'application/json' },
        body: fault.json ?? '<!doctype html><html><body><h1>Bad gateway</h1></body></html>',
      });
    case 'redirect':
      return writeAnswer(response, { status: 302, headers: { location: fault.location }, body: '' });
    case 'empty':
      return writeAnswer(response, { status: 200, headers: {}, body: '' });
    case 'partial':
    case 'wrong_counts':
      return writeAnswer(response, answer);
  }
}

function withRetryAfter(answer: SandboxAnswer, retryAfterSec: number | undefined): SandboxAnswer {
  if (retryAfterSec === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(retryAfterSec) } };
}

async function writeSlowly(
  response: ServerResponse,
  answer: SandboxAnswer,
  durationMs: number,
): Promise<void> {
  const body = answer.body.padEnd(SLOW_STEPS, ' ');
  response.writeHead(answer.status === 204 ? 200 : answer.status, answer.headers);
  const step = Math.ceil(body.length / SLOW_STEPS);
  for (let at = 0; at < body.length && !response.destroyed; at += step) {
    response.write(body.slice(at, at + step));
    await sleep(durationMs / SLOW_STEPS, undefined, { ref: false });
  }
  response.end();
}

async function writeHuge(response: ServerResponse, sizeBytes: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"padding":"');
  for (let sent = 0; sent < sizeBytes && !response.destroyed; sent += CHUNK.byteLength) {
    if (!response.write(CHUNK)) await drained(response);
  }
  response.end('"}');
}

/** Resolves when more may be written, or when nobody is there any more. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}
