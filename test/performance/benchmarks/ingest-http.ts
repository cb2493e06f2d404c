// The ingestion application over real sockets with 64 connections, one core for the server and one for the load, beside
// the frameworks it could have been written in: all in one run, taking turns.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type HttpChild, startHttpChild } from '../http-child.ts';
import { atLeast, figure, report } from '../result.ts';
import { median } from '../rounds.ts';

const NAMES = [
  'node:http',
  'fastify',
  'fastify + z.compile',
  'ingestion',
  'ingestion behind its function URL',
] as const;
const ROUNDS = 5;
const TURN_SEC = 1;

const LOAD = fileURLToPath(new URL('../http-load.ts', import.meta.url));
const servers = new Map<string, HttpChild>();
const figures = new Map<string, { perSec: number; cpuUs: number }[]>();
try {
  for (const name of NAMES) servers.set(name, await startHttpChild(name));
  for (const { port } of servers.values()) await load(port);
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, server] of servers) {
      const beforeUs = await server.cpuUs();
      const { requests, seconds } = await load(server.port);
      const spentUs = (await server.cpuUs()) - beforeUs;
      const turns = figures.get(name) ?? [];
      figures.set(name, [...turns, { perSec: requests / seconds, cpuUs: spentUs / requests }]);
    }
} finally {
  for (const server of servers.values()) server.close();
}

const of = (name: (typeof NAMES)[number], what: 'perSec' | 'cpuUs'): number =>
  median((figures.get(name) ?? []).map((turn) => turn[what]));
report({
  benchmark: 'ingestion over HTTP',
  rows: [
    ...NAMES.map((name) => figure(name, of(name, 'perSec'), 'requests/s')),
    ...NAMES.map((name) => figure(name, of(name, 'cpuUs'), 'us CPU/request')),
    atLeast('ingestion against bare fastify', of('ingestion', 'perSec') / of('fastify', 'perSec'), 'x', 0.75),
  ],
});

async function load(port: number): Promise<{ requests: number; seconds: number }> {
  const { stdout } = await promisify(execFile)(process.execPath, [LOAD, String(port), String(TURN_SEC)]);
  const result = JSON.parse(stdout) as { requests: number; seconds: number; refused: number };
  if (result.refused > 0) throw new Error(`${result.refused} requests were not accepted`);
  return result;
}
