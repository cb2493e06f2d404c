// The merchants of a simulated run and what they configured: immutable snapshots, connections that pause and go.

import type { Vault } from '../../lib/core/ports/vault.ts';
import type { Connection, RoutingSnapshot } from '../../lib/events/domain/connections/connection.ts';
import type { Merchant } from '../../lib/events/domain/merchant.ts';
import { sealCredentials } from '../../lib/events/pipeline/connections/open-connection.ts';
import { type PipelineConfig, resumed, withCircuit, withProbe } from '../support/memory/config-stores.ts';
import { sampleRule } from '../support/sample-rule.ts';

export const MERCHANTS = [
  '11111111-1111-4111-8111-111111111111',
  '22222222-2222-4222-8222-222222222222',
  '33333333-3333-4333-8333-333333333333',
] as const;

/** Everything, everything but one with a rule, nothing. */
const CONNECTED: Readonly<Record<string, readonly string[]>> = {
  [MERCHANTS[0]]: ['alpha', 'bravo', 'carol'],
  [MERCHANTS[1]]: ['alpha', 'bravo'],
  [MERCHANTS[2]]: [],
};

export interface SimulatedConfig extends PipelineConfig {
  /** The merchant signs in and puts the connection right. */
  resume(merchantId: string, platform: string): void;
  /** The merchant removes the connection: a new snapshot, and no credentials any more. */
  remove(merchantId: string, platform: string): void;
  /** The profile says another number of shards. */
  reshard(merchantId: string, shards: number): void;
  snapshot(merchantId: string, version: number): RoutingSnapshot;
  paused(): readonly Connection[];
  /** As it is, for the observer. */
  stored(merchantId: string, platform: string): Connection | undefined;
}

/** Not secret, but bound to its merchant and context as a real one is. */
export const SIMULATED_VAULT: Vault = {
  seal: async (merchantId, context, plaintext) =>
    Buffer.from(JSON.stringify([merchantId, context, plaintext])).toString('base64'),
  open: async (merchantId, context, sealed) => {
    const [owner, where, plaintext] = JSON.parse(Buffer.from(sealed, 'base64').toString()) as string[];
    if (owner !== merchantId || where !== context || plaintext === undefined) throw new Error('cannot open');
    return plaintext;
  },
};

export async function createSimulatedConfig(startMs: number): Promise<SimulatedConfig> {
  const connections = new Map<string, Connection>();
  const snapshots = new Map<string, RoutingSnapshot[]>();
  for (const merchantId of MERCHANTS) {
    for (const platform of CONNECTED[merchantId] ?? [])
      connections.set(`${merchantId}/${platform}`, await connect(merchantId, platform, startMs));
    snapshots.set(merchantId, [firstSnapshot(merchantId)]);
  }
  const serverNames = new Map<string, Readonly<Record<string, number>>>();
  const shards = new Map<string, number>();
  const history = (merchantId: string) => snapshots.get(merchantId) ?? [];
  const snapshot = (merchantId: string, version: number): RoutingSnapshot => {
    const found = history(merchantId).find((entry) => entry.version === version);
    if (!found) throw new Error(`no snapshot ${version} of ${merchantId}`);
    return found;
  };
  return {
    apiKey: async () => null,
    merchant: async (merchantId) => ({
      ...merchantOf(merchantId, startMs),
      serverEventNames: { ...serverNames.get(merchantId) },
      ...(shards.has(merchantId) ? { shards: shards.get(merchantId) ?? 1 } : {}),
    }),
    addServerEventName: async (merchantId, name, nowMs) => {
      serverNames.set(merchantId, { [name]: nowMs, ...serverNames.get(merchantId) });
    },
    currentRouting: async (merchantId) => snapshot(merchantId, history(merchantId).length),
    connection: async (merchantId, platform) => connections.get(`${merchantId}/${platform}`) ?? null,
    connectionsOf: async (merchantId) => {
      const stored = new Map(connections);
      return (platform) => stored.get(`${merchantId}/${platform}`) ?? null;
    },
    pauseConnection: async (seen, reason, nowMs) => {
      const id = `${seen.merchantId}/${seen.platform}`;
      const stored = connections.get(id);
      if (stored?.status !== 'active' || stored.sealedCredentials !== seen.sealedCredentials) return false;
      connections.set(id, { ...stored, status: 'paused', pausedReason: reason, pausedAtMs: nowMs });
      return true;
    },
    moveProbe: async (seen, atMs) => {
      const id = `${seen.merchantId}/${seen.platform}`;
      const moved = withProbe(connections.get(id), seen, atMs);
      if (moved !== null) connections.set(id, moved);
      return moved !== null;
    },
    noteDeprecation: async () => true,
    changeConnection: async (seen) => {
      const id = `${seen.merchantId}/${seen.platform}`;
      const changed = resumed(connections.get(id), seen);
      if (changed !== null) connections.set(id, changed);
      return changed;
    },
    setCircuit: async (seen, circuit, nowMs) => {
      const id = `${seen.merchantId}/${seen.platform}`;
      const stored = connections.get(id);
      if (!stored || stored.circuit?.nextProbeAtMs !== seen.circuit?.nextProbeAtMs) return false;
      connections.set(id, withCircuit(stored, circuit, nowMs));
      return true;
    },
    resume: (merchantId, platform) => {
      const stored = connections.get(`${merchantId}/${platform}`);
      if (stored)
        connections.set(`${merchantId}/${platform}`, { ...withCircuit(stored, null, 0), status: 'active' });
    },
    remove: (merchantId, platform) => {
      connections.delete(`${merchantId}/${platform}`);
      const last = snapshot(merchantId, history(merchantId).length);
      history(merchantId).push({
        ...last,
        version: last.version + 1,
        connections: last.connections.filter((connection) => connection.platform !== platform),
      });
    },
    reshard: (merchantId, number) => void shards.set(merchantId, number),
    snapshot,
    stored: (merchantId, platform) => connections.get(`${merchantId}/${platform}`),
    paused: () => [...connections.values()].filter(({ status }) => status === 'paused'),
  };
}

async function connect(merchantId: string, platform: string, nowMs: number): Promise<Connection> {
  const credentials = { token: `secret of ${merchantId}` };
  return {
    id: `${platform}-of-${merchantId.slice(0, 4)}`,
    merchantId,
    platform,
    name: platform,
    status: 'active',
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    revision: 1,
    sinceVersion: 1,
    sealedCredentials: await sealCredentials(SIMULATED_VAULT, merchantId, platform, credentials),
  };
}

function firstSnapshot(merchantId: string): RoutingSnapshot {
  const connections = (CONNECTED[merchantId] ?? []).map((platform) => ({
    id: `${platform}-of-${merchantId.slice(0, 4)}`,
    platform,
  }));
  const noLeads = sampleRule({
    id: 'no-leads',
    match: { event_name: ['Lead'] },
    action: { type: 'exclude' },
    platforms: ['bravo'],
  });
  return { merchantId, version: 1, connections, rules: merchantId === MERCHANTS[1] ? [noLeads] : [] };
}

function merchantOf(merchantId: string, nowMs: number): Merchant {
  return {
    merchantId,
    name: merchantId,
    email: 'owner@example.com',
    onboardingStep: 'done',
    onboardingCompleted: true,
    createdAtMs: nowMs,
    // Orders of the first wait for their pages: every promise is kept with that too.
    browserIngestion: {
      enabled: true,
      origins: [],
      ...(merchantId === MERCHANTS[0] ? { pageCopyWaitSec: 10 } : {}),
    },
  };
}
