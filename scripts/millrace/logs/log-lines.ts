// Wide lines as they come: of the log of a host on this machine, or of CloudWatch Logs.
import { open, stat } from 'node:fs/promises';
import * as z from 'zod';
import type { Deployment } from '../deployment.ts';
import { cloudLines } from './cloud-lines.ts';

const LOCAL_EVERY_MS = 300;
type Pause = (ms: number) => Promise<unknown>;

/** Never ends by itself. */
export function logLines(deployment: Deployment, sinceMs: number, pause: Pause): AsyncGenerator<string> {
  const { logFile } = deployment;
  return logFile === undefined ? cloudLines(deployment, sinceMs, pause) : localLines(logFile, sinceMs, pause);
}

async function* localLines(path: string, sinceMs: number, pause: Pause): AsyncGenerator<string> {
  let at = 0;
  let rest = '';
  for (;;) {
    const { size } = await stat(path);
    // The host has begun a new file.
    if (size < at) [at, rest] = [0, ''];
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(
        Buffer.alloc(Math.min(size - at, 4_194_304)),
        0,
        undefined,
        at,
      );
      const whole = buffer.subarray(0, bytesRead);
      // A character may be cut.
      const end = whole.lastIndexOf(10) + 1;
      const lines = (rest + whole.subarray(0, end).toString()).split('\n');
      rest = lines.pop() ?? '';
      at += end;
      for (const line of lines) if ((timeOf(line) ?? sinceMs) >= sinceMs) yield line;
      if (end > 0) continue;
    } finally {
      await file.close();
    }
    await pause(LOCAL_EVERY_MS);
  }
}

const timed = z.object({ time: z.union([z.number(), z.string()]) });

/** Undefined: it says none. */
function timeOf(line: string): number | undefined {
  try {
    const { time } = timed.parse(JSON.parse(line));
    return typeof time === 'number' ? time : Date.parse(time);
  } catch {
    return undefined;
  }
}
