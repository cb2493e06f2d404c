// Goal: what is parked costs nothing while it waits; of many processes one probes, at growing distances; the first answer that
// is no failure lets everything through again.
import { describe, expect, it } from 'vitest';
import type { Connection } from '#lib/events/domain/connections/connection.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { resumed, withCircuit, withProbe } from '#test/support/memory/config-stores.ts';
import { admission, enterGate, giveBack, leaveGate } from './gate.ts';

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

const REFUSED: Connection = {
  ...CONNECTION,
  status: 'paused',
  pausedReason: 'auth',
  pausedAtMs: START_MS,
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
      moveProbe: async (seen: Connection, atMs: number) => {
        const moved = withProbe(stored, seen, atMs);
        if (moved === null) return false;
        stored = moved;
        writes += 1;
        return true;
      },
      changeConnection: async (seen: Connection) => {
        const changed = resumed(stored, seen);
        if (changed === null) return null;
        stored = changed;
        writes += 1;
        return changed;
      },
    },
    clock,
    report: (problem: string) => void problems.push(problem),
  };
  const change = (changed: Partial<Connection>): void => {
    stored = { ...stored, ...changed };
  };
  const seen = { stored: () => stored, writes: () => writes, change };
  return { ports, clock, problems, ...seen, enter: () => enterGate(stored, ports) };
}

const open = async () => {
  const gate = setUp();
  await leaveGate(
    await gate.enter(),
    [{ ok: false, taken: false, openUntilMs: START_MS + 30_000 }],
    gate.ports,
  );
  return gate;
};

describe('the gate of a connection', () => {
  it('lets everything pass where it works, and where it is gone, without a write', async () => {
    const gate = setUp();
    expect((await gate.enter()).pass).toBe('all');
    expect((await enterGate(null, gate.ports)).pass).toBe('all');
    await leaveGate(await gate.enter(), [{ ok: true, taken: true, openUntilMs: null }], gate.ports);
    await leaveGate(await gate.enter(), [{ ok: false, taken: false, openUntilMs: null }], gate.ports);
    expect(gate.writes()).toBe(0);
  });

  it('lets nothing pass while a person pauses it, whatever its circuit', async () => {
    const circuit = { openedAtMs: 0, probes: 0, nextProbeAtMs: 0 };
    const paused = setUp({ ...CONNECTION, status: 'paused', pausedReason: 'manual', pausedAtMs: 0, circuit });
    expect(await paused.enter()).toMatchObject({ pass: 'none', reason: 'connection_paused' });
    expect(paused.writes()).toBe(0);
  });

  it('sends one event each hour while credentials are refused, by one of many processes', async () => {
    const gate = setUp(REFUSED);
    expect(await gate.enter()).toMatchObject({ pass: 'none', reason: 'connection_paused' });
    const sent: number[] = [];
    for (let minute = 1; minute <= 180; minute++) {
      gate.clock.advance(60_000);
      const seen = gate.stored();
      const passes = await Promise.all(Array.from({ length: 8 }, () => enterGate(seen, gate.ports)));
      const probes = passes.filter(({ pass }) => pass === 'probe');
      for (const probe of probes) {
        const allows = admission(probe);
        expect([allows(), allows()]).toEqual([true, false]);
        sent.push(minute);
      }
    }
    expect(sent).toEqual([60, 120, 180]);
    expect(gate.writes()).toBe(3);
  });

  it('gets its probe back where there was nothing to send, and no other one', async () => {
    for (const gate of [setUp(REFUSED), await open()]) {
      gate.clock.advance(3_600_000);
      const probe = await gate.enter();
      expect([probe.pass, (await gate.enter()).pass]).toEqual(['probe', 'none']);
      await giveBack(probe, gate.ports);
      expect((await gate.enter()).pass).toBe('probe');
      const writes = gate.writes();
      await giveBack(await gate.enter(), gate.ports);
      expect(gate.writes()).toBe(writes);
    }
    const well = setUp();
    await giveBack(await well.enter(), well.ports);
    expect(well.writes()).toBe(0);
  });

  it('is resumed by an event that is taken, and by no other answer', async () => {
    const gate = setUp(REFUSED);
    gate.clock.advance(3_600_000);
    const first = await gate.enter();
    await leaveGate(first, [{ ok: true, taken: false, openUntilMs: null }], gate.ports);
    await leaveGate(first, [{ ok: false, taken: false, openUntilMs: START_MS + 7_200_000 }], gate.ports);
    expect(gate.stored()).toMatchObject({ status: 'paused' });
    expect(gate.stored().circuit).toBeUndefined();
    gate.clock.advance(3_600_000);
    const work: unknown[] = [];
    const send = async (messages: readonly { readonly body: unknown }[]) =>
      void work.push(...messages.map(({ body }) => body));
    const second = await gate.enter();
    for (let times = 0; times < 2; times++)
      await leaveGate(second, [{ ok: true, taken: true, openUntilMs: null }], {
        ...gate.ports,
        taskWork: { send },
      });
    expect((await gate.enter()).pass).toBe('all');
    // One mail, although two processes found out at the same time.
    expect(work).toEqual([{ merchant: 'm', resumed: 'con_1', slot: 'meta' }]);
  });

  it('leaves what a person changed during a probe as it is', async () => {
    const gate = setUp(REFUSED);
    gate.clock.advance(3_600_000);
    const probe = await gate.enter();
    gate.change({ pausedReason: 'manual', revision: 2 });
    await leaveGate(probe, [{ ok: true, taken: true, openUntilMs: null }], gate.ports);
    expect(gate.stored()).toMatchObject({ status: 'paused', pausedReason: 'manual' });
    expect(gate.problems).toEqual([]);
  });

  it('keeps back what comes where a probe cannot be written, and says so where a resumption cannot', async () => {
    const gate = setUp(REFUSED);
    gate.clock.advance(3_600_000);
    const throttled = async () => Promise.reject(new Error('throttled'));
    const away = {
      ...gate.ports,
      config: { ...gate.ports.config, moveProbe: throttled, changeConnection: throttled },
    };
    expect((await enterGate(gate.stored(), away)).pass).toBe('none');
    await leaveGate(await gate.enter(), [{ ok: true, taken: true, openUntilMs: null }], away);
    expect(gate.problems).toHaveLength(2);
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
    await leaveGate(first, [{ ok: false, taken: false, openUntilMs: null }], gate.ports);
    expect(gate.stored().circuit).toBeDefined();
    gate.clock.advance(60_000);
    const second = await gate.enter();
    expect(second.pass).toBe('probe');
    await leaveGate(second, [{ ok: true, taken: true, openUntilMs: null }], gate.ports);
    expect(gate.stored().circuit).toBeUndefined();
    expect((await gate.enter()).pass).toBe('all');
  });

  it('stays shut for as long as the platform asks', async () => {
    const gate = await open();
    gate.clock.advance(30_000);
    const probe = await gate.enter();
    await leaveGate(probe, [{ ok: false, taken: false, openUntilMs: START_MS + 3_600_000 }], gate.ports);
    expect(gate.stored().circuit?.nextProbeAtMs).toBe(START_MS + 3_600_000);
  });

  it('tells its merchant once when it has been shut for minutes, and when it opens; of a short outage nothing', async () => {
    const gate = await open();
    const told: object[] = [];
    const send = async (messages: readonly { readonly body: object }[]) =>
      void told.push(...messages.map(({ body }) => body));
    const ports = { ...gate.ports, taskWork: { send } };
    const about = { merchant: 'm', slot: 'meta' };
    const probe = async (ok: boolean): Promise<void> => {
      gate.clock.advance(Math.max(0, (gate.stored().circuit?.nextProbeAtMs ?? 0) - gate.clock.now()));
      await leaveGate(await enterGate(gate.stored(), ports), [{ ok, taken: ok, openUntilMs: null }], ports);
    };
    await probe(false);
    await probe(true);
    expect(told).toEqual([]);
    const shutMs = gate.clock.now();
    const shut = { ok: false, taken: false, openUntilMs: shutMs + 30_000 };
    await leaveGate(await enterGate(gate.stored(), ports), [shut], ports);
    for (let times = 0; times < 6; times++) await probe(false);
    expect(told).toEqual([{ ...about, failing: 'con_1' }]);
    expect((gate.stored().circuit?.toldAtMs ?? 0) - shutMs).toBeLessThan(300_000);
    await probe(true);
    expect(told.slice(1)).toEqual([{ ...about, resumed: 'con_1' }]);
    // It comes and goes: not again for six hours.
    const again = async (): Promise<void> => {
      const openUntilMs = gate.clock.now() + 30_000;
      await leaveGate(await enterGate(gate.stored(), ports), [{ ...shut, openUntilMs }], ports);
      for (let times = 0; times < 6; times++) await probe(false);
      await probe(true);
    };
    gate.clock.advance(3_600_000);
    await again();
    expect(told).toHaveLength(2);
    gate.clock.advance(5 * 3_600_000);
    await again();
    expect(told.slice(2)).toEqual([
      { ...about, failing: 'con_1' },
      { ...about, resumed: 'con_1' },
    ]);
  });

  it('sends no second mail where the platform asks for a longer wait after the first', async () => {
    const gate = await open();
    const sent: object[] = [];
    const send = async (messages: readonly object[]) => void sent.push(...messages);
    const ports = { ...gate.ports, taskWork: { send } };
    for (let times = 0; times < 8; times++) {
      const { nextProbeAtMs = 0 } = gate.stored().circuit ?? {};
      gate.clock.advance(nextProbeAtMs - gate.clock.now());
      const note = { ok: false, taken: false, openUntilMs: gate.clock.now() + 3_600_000 };
      await leaveGate(await enterGate(gate.stored(), ports), [note], ports);
    }
    expect(sent).toHaveLength(1);
    expect(gate.stored().circuit?.openedAtMs).toBe(START_MS);
  });

  it('tells it with the next probe where the message could not be sent', async () => {
    const gate = await open();
    let isAway = true;
    const told: object[] = [];
    const send = async (messages: readonly object[]) => {
      if (isAway) throw new Error('throttled');
      told.push(...messages);
    };
    const ports = { ...gate.ports, taskWork: { send } };
    const probe = async () => {
      gate.clock.advance((gate.stored().circuit?.nextProbeAtMs ?? 0) - gate.clock.now());
      const note = { ok: false, taken: false, openUntilMs: null };
      await leaveGate(await enterGate(gate.stored(), ports), [note], ports);
    };
    for (let times = 0; times < 2; times++) await probe();
    expect(gate.problems).toEqual(['a merchant could not be told of a connection']);
    isAway = false;
    for (let times = 0; times < 3; times++) await probe();
    expect(told).toHaveLength(1);
  });

  it('keeps back what comes where the write fails, and reports it', async () => {
    const gate = await open();
    gate.clock.advance(30_000);
    const away = { ...gate.ports.config, setCircuit: async () => Promise.reject(new Error('throttled')) };
    expect((await enterGate(gate.stored(), { ...gate.ports, config: away })).pass).toBe('none');
    expect(gate.problems).toHaveLength(1);
  });
});
