// Whether a connection takes events now. A paused connection takes none. An open circuit lets a few through from time
// to time: the process that moves the time of the next probe sends them, so a probe costs one write to the connection,
// and parked deliveries cost none.
// Guarantees: only one of all processes sends the probe; the first answer that is no failure closes the circuit for all
// processes.
import type { Clock } from '#lib/core/ports/clock.ts';
import { openUntil } from '#lib/core/work/circuit.ts';
import { doubledWait } from '#lib/core/work/retry-policy.ts';
import type { Circuit, Connection } from '#lib/events/domain/connections/connection.ts';
import type { ParkingReason } from '#lib/events/domain/deliveries/delivery.ts';
import type { ConnectionStore } from '#lib/events/ports/connection-store.ts';
import { CIRCUIT } from './breaker.ts';

/** Events of a probe: enough that a few bad ones among them do not decide. */
const PROBE_EVENTS = 10;

export interface GatePorts {
  readonly config: Pick<ConnectionStore, 'setCircuit'>;
  readonly clock: Clock;
  readonly report: (problem: string, error: unknown) => void;
}

export interface Gate {
  /** `probe`: a few events, to test whether the platform is back. */
  readonly pass: 'all' | 'probe' | 'none';
  /** Why the others are parked. */
  readonly reason: ParkingReason;
  /** With the circuit as this process knows it. */
  readonly connection: Connection | null;
}

export interface CallNote {
  readonly ok: boolean;
  /** Until when the circuit is to be open because of it. */
  readonly openUntilMs: number | null;
}

/** `connection` null: it was removed, and its deliveries end. */
export async function enterGate(connection: Connection | null, ports: GatePorts): Promise<Gate> {
  const reason = 'circuit_open' as const;
  if (connection?.status === 'paused') return { pass: 'none', reason: 'connection_paused', connection };
  if (connection?.circuit === undefined) return { pass: 'all', reason, connection };
  const { circuit } = connection;
  const nowMs = ports.clock.now();
  if (openUntil(circuit.nextProbeAtMs, nowMs) !== null) return { pass: 'none', reason, connection };
  const probes = circuit.probes + 1;
  const next: Circuit = { ...circuit, probes, nextProbeAtMs: nowMs + doubledWait(CIRCUIT.openMs, probes) };
  if (!(await set(connection, next, ports))) return { pass: 'none', reason, connection };
  return { pass: 'probe', reason, connection: { ...connection, circuit: next } };
}

/** Called for each event of a job: whether it may be sent. */
export function admission({ pass }: Gate): () => boolean {
  let left = { all: Number.POSITIVE_INFINITY, probe: PROBE_EVENTS, none: 0 }[pass];
  return () => left-- > 0;
}

/** After the calls of one request: opens the circuit, keeps it open for longer, or closes it. */
export async function leaveGate(
  { connection }: Gate,
  notes: readonly CallNote[],
  ports: GatePorts,
): Promise<void> {
  if (connection === null || notes.length === 0) return;
  const { circuit } = connection;
  if (notes.some(({ ok }) => ok)) {
    if (circuit !== undefined) await set(connection, null, ports);
    return;
  }
  const untilMs = Math.max(...notes.map(({ openUntilMs }) => openUntilMs ?? 0));
  if (untilMs <= (circuit?.nextProbeAtMs ?? 0)) return;
  const openedAtMs = circuit?.openedAtMs ?? ports.clock.now();
  await set(connection, { openedAtMs, probes: circuit?.probes ?? 0, nextProbeAtMs: untilMs }, ports);
}

/** If this write fails, the next call that fails or succeeds writes the circuit. */
async function set(connection: Connection, circuit: Circuit | null, ports: GatePorts): Promise<boolean> {
  try {
    return await ports.config.setCircuit(connection, circuit, ports.clock.now());
  } catch (error) {
    ports.report('the circuit of a connection was not moved', error);
    return false;
  }
}
