// What a part of the pipeline is simulated with where the others are not: a vault, leases, no vendor, and queues that lead nowhere.
import { createMemoryEventVault } from '../../support/memory/event-vault.ts';
import { createMemoryLeaseStore } from '../../support/memory/lease-store.ts';
import { createMemoryRunLeases } from '../../support/memory/run-leases.ts';
import { SIMULATED_VAULT } from '../merchants.ts';
import type { PortOptions } from '../ports.ts';
import type { Process } from '../process.ts';

type Own = Pick<PortOptions, 'vault' | 'eventVault' | 'leases' | 'quotas' | 'vendors' | 'onAnswer'>;

export const ownPorts = (): Own => ({
  vault: SIMULATED_VAULT,
  eventVault: createMemoryEventVault(),
  leases: createMemoryRunLeases(),
  quotas: createMemoryLeaseStore(),
  vendors: new Map(),
  onAnswer: () => undefined,
});

export const newProcess = (name: string): Process => ({ name, alive: true, clockOffsetMs: () => 0 });
export const nowhere = { send: async () => undefined };
export const NO_LOOKUPS = { nationalPhone: () => null, countryCode: () => null, regionCode: () => null };
