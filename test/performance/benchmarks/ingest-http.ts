// The ingestion application over real sockets with 64 connections, one process for the server and one for the load, beside
// the frameworks it could have been written in: all in one run, taking turns. What one core can do is held against the
// budget: CPU time of the server, which neither the load generator nor other work on the machine has a part in.
import { type HttpChild, startHttpChild, startLoadChild } from '../http-child.ts';
import { atLeast, figure, report, sized } from '../result.ts';
import { median } from '../rounds.ts';

const NAMES = [
  'node:http',
  'fastify',
  'fastify + z.compile',
  'ingestion',
  'ingestion behind its function URL',
] as const;
const ROUNDS = sized(5, 1);
const TURN_SEC = 1;

const servers = new Map<string, HttpChild>();
const turns = new Map<string, { perSec: number; cpuUs: number }[]>(NAMES.map((name) => [name, []]));
const load = startLoadChild();
try {
  for (const name of NAMES) servers.set(name, await startHttpChild(name));
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round++)
    for (const [name, server] of servers) {
      const beforeUs = await server.cpuUs();
      const { requests, seconds, refused } = await load.run({ port: server.port, seconds: TURN_SEC });
      if (refused > 0) throw new Error(`${name} did not accept ${refused} requests`);
      const spentUs = (await server.cpuUs()) - beforeUs;
      if (round > 0) turns.get(name)?.push({ perSec: requests / seconds, cpuUs: spentUs / requests });
    }
} finally {
  load.close();
  for (const server of servers.values()) server.close();
}

const of = (name: (typeof NAMES)[number], what: 'perSec' | 'cpuUs'): number =>
  median((turns.get(name) ?? []).map((turn) => turn[what]));
report({
  benchmark: 'ingestion over HTTP',
  rows: [
    ...NAMES.map((name) => figure(name, of(name, 'perSec'), 'requests/s')),
    ...NAMES.map((name) => figure(name, of(name, 'cpuUs'), 'us CPU/request')),
    atLeast(
      'ingestion against bare fastify, by CPU of the server',
      of('fastify', 'cpuUs') / of('ingestion', 'cpuUs'),
      'x',
      0.75,
    ),
    figure('the same by requests/s', of('ingestion', 'perSec') / of('fastify', 'perSec'), 'x'),
  ],
  notes: [
    'bare fastify reads and answers; ingestion also authenticates the key, validates, and makes the digest of the payload',
  ],
});
