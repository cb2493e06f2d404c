// A third-party server on this machine, waited for. Guarantees: it answers, or nothing of it is left running.
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Command, type Running, start } from './child-process.ts';

export interface ServerCommand extends Command {
  readonly name: string;
  /** Answered with less than 500 as soon as the server is ready. */
  readonly readyUrl: string;
}

const START_PATIENCE_MS = 60_000;
const ANSWER_PATIENCE_MS = 2_000;

/** Resolves when the server answers. Rejects with its last lines when it ends before, or takes too long. */
export async function startServer(command: ServerCommand): Promise<Running> {
  const server = start(command);
  try {
    await untilReady(command, server);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function untilReady({ name, readyUrl }: ServerCommand, server: Running): Promise<void> {
  let failure: Error | undefined;
  server.process.once('error', (error) => {
    failure = error;
  });
  const patience = AbortSignal.timeout(START_PATIENCE_MS);
  while (!(await answers(readyUrl))) {
    if (failure !== undefined) throw failure;
    const ending = server.process.exitCode ?? server.process.signalCode;
    if (ending !== null) throw new Error(`${name} ended with ${ending}:\n${server.tail()}`);
    if (patience.aborted) throw new Error(`${name} does not answer at ${readyUrl}:\n${server.tail()}`);
    await delay(100);
  }
}

export async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_PATIENCE_MS) });
    await response.arrayBuffer();
    return response.status < 500;
  } catch {
    return false;
  }
}

/** A port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done));
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}
