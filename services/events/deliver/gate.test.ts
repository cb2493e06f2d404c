// Goal: what is parked costs nothing while it waits; of many processes one probes, at growing distances; the first answer that
// is no failure lets everything through again.
import { describe, expect, it } from 'vitest';
import type { Connection } from '#lib/events/domain/connections/connection.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { withCircuit } from '#test/support/memory/config-stores.ts';
import { enterGate, leaveGate } from './gate.ts';

const START_MS = Date.UTC(2026, 10, 21, 12);

const CONNECTION: Connection = {
  id: 'con_1',
  merchantId: 'm',
  platform: 'meta',
  name: 'Meta',
  status: 'active',
  createdAtMs: 0,
  updatedAtMs: 0,
  revision: 1,
  sinceVersion: 1,
  sealedCredentials: '',
};

function setUp(connection: Connection = CONNECTION) {
  const clock = createManualClock(START_MS);
  const problems: string[] = [];
  let stored = connection;
  let writes = 0;
  const ports = {
    config: {
      setCircuit: async (seen: Connection, circuit: Connection['circuit'] | null) => {
        if (stored.circuit?.nextProbeAtMs !== seen.circuit?.nextProbeAtMs) return false;
        stored = withCircuit(stored, circuit ?? null, clock.now());
        writes += 1;
        return true;
      },
    },
    clock,
    report: (problem: string) => void problems.push(problem),
  };
  const seen = { stored: () => stored, writes: () => writes };
  return { ports, clock, problems, ...seen, enter: () => enterGate(stored, ports) };
}

const open = async () => {
  const gate = setUp();
  await leaveGate(await gate.enter(), [{ ok: false, openUntilMs: START_MS + 30_000 }], gate.ports);
  return gate;
};

describe('the gate of a connection', () => {
  it('lets everything pass where it works, and where it is gone, without a write', async () => {
    const gate = setUp();
    expect((await gate.enter()).pass).toBe('all');
    expect((await enterGate(null, gate.ports)).pass).toBe('all');
    await leaveGate(await gate.enter(), [{ ok: true, openUntilMs: null }], gate.ports);
    await leaveGate(await gate.enter(), [{ ok: false, openUntilMs: null }], gate.ports);
    expect(gate.writes()).toBe(0);
  });

  it('lets nothing pass while it is paused, whatever its circuit', async () => {
    const circuit = { openedAtMs: 0, probes: 0, nextProbeAtMs: 0 };
    const paused = setUp({ ...CONNECTION, status: 'paused', circuit });
    expect(await paused.enter()).toMatchObject({ pass: 'none', reason: 'connection_paused' });
    expect(paused.writes()).toBe(0);
  });

  it('is shut for everybody by one write, and costs none while it is', async () => {
    const gate = await open();
    const circuit = { openedAtMs: START_MS, probes: 0, nextProbeAtMs: START_MS + 30_000 };
    expect(gate.stored().circuit).toEqual(circuit);
    for (let i = 0; i < 100; i++)
      expect(await gate.enter()).toMatchObject({ pass: 'none', reason: 'circuit_open' });
    expect(gate.writes()).toBe(1);
  });

  it('lets one of many processes probe, then another one after 60, 120, 240, 300, 300 seconds', async () => {
    const gate = await open();
    const waits: number[] = [];
    for (let probe = 0; probe < 5; probe++) {
      gate.clock.advance((gate.stored().circuit?.nextProbeAtMs ?? 0) - gate.clock.now());
      const seen = gate.stored();
      const passes = await Promise.all(Array.from({ length: 8 }, () => enterGate(seen, gate.ports)));
      expect(passes.map(({ pass }) => pass).filter((pass) => pass === 'probe')).toHaveLength(1);
      waits.push(((gate.stored().circuit?.nextProbeAtMs ?? 0) - gate.clock.now()) / 1_000);
    }
    expect(waits).toEqual([60, 120, 240, 300, 300]);
  });

  it('opens with the first answer that is no failure, and stays shut with another failure', async () => {
    const gate = await open();
    gate.clock.advance(30_000);
    const first = await gate.enter();
    await leaveGate(first, [{ ok: false, openUntilMs: null }], gate.ports);
    expect(gate.stored().circuit).toBeDefined();
    gate.clock.advance(60_000);
    const second = await gate.enter();
    expect(second.pass).toBe('probe');
    await leaveGate(second, [{ ok: true, openUntilMs: null }], gate.ports);
    expect(gate.stored().circuit).toBeUndefined();
    expect((await gate.enter()).pass).toBe('all');
  });

  it('stays shut for as long as the platform asks', async () => {
    const gate = await open();
    gate.clock.advance(30_000);
    const probe = await gate.enter();
    await leaveGate(probe, [{ ok: false, openUntilMs: START_MS + 3_600_000 }], gate.ports);
    expect(gate.stored().circuit?.nextProbeAtMs).toBe(START_MS + 3_600_000);
  });

  it('keeps back what comes where the write fails, and reports it', async () => {
    const gate = await open();
    gate.clock.advance(30_000);
    const away = { setCircuit: async () => Promise.reject(new Error('throttled')) };
    expect((await enterGate(gate.stored(), { ...gate.ports, config: away })).pass).toBe('none');
    expect(gate.problems).toHaveLength(1);
  });
});
