// Whether a connection takes events now. One that a person paused takes none. An open circuit lets a few through from time
// to time, a pause for refused credentials one event each hour: the process that moves the time of the next probe sends
// them, so a probe costs one write to the connection, and parked deliveries cost none.
// Guarantees: only one of all processes sends the probe; the first answer that is no failure closes the circuit for all
// processes, the first event that is taken ends such a pause.
import type { Clock } from '#lib/core/ports/clock.ts';
import type { MessageSender } from '#lib/core/ports/queue.ts';
import { openUntil, probeDueSince } from '#lib/core/work/circuit.ts';
import { doubledWait } from '#lib/core/work/retry-policy.ts';
import {
  type Circuit,
  type Connection,
  type FailedCall,
  needsMail,
  PAUSE_PROBE_MS,
  pauseProbeMs,
} from '#lib/events/domain/connections/connection.ts';
import { connectionTarget } from '#lib/events/domain/connections/target.ts';
import type { ParkingReason } from '#lib/events/domain/deliveries/delivery.ts';
import type { TaskWork } from '#lib/events/domain/deliveries/task-work.ts';
import { byTenant } from '#lib/events/domain/pointer.ts';
import type { ConnectionStore } from '#lib/events/ports/connection-store.ts';
import type { SentCall } from '#lib/events/ports/delivery-signals.ts';
import { CIRCUIT } from './circuit/breaker.ts';

/** Events of a probe: enough that a few bad ones among them do not decide. */
const PROBE_EVENTS = 10;

export interface GatePorts {
  readonly config: Pick<ConnectionStore, 'setCircuit' | 'moveProbe' | 'changeConnection'>;
  /** A merchant whose connection works again gets a mail. Absent in models of the pipeline. */
  readonly taskWork?: MessageSender<TaskWork>;
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
  /** The platform took an event: it takes the credentials. */
  readonly taken: boolean;
  /** Until when the circuit is to be open because of it. */
  readonly openUntilMs: number | null;
  /** Absent where it did not fail. */
  readonly failed?: FailedCall;
  /** Absent where no request was sent. */
  readonly sent?: SentCall;
}

/** `connection` null: it was removed, and its deliveries end. */
export async function enterGate(connection: Connection | null, ports: GatePorts): Promise<Gate> {
  const reason = 'circuit_open' as const;
  if (connection?.status === 'paused') return await enterPaused(connection, ports);
  if (connection?.circuit === undefined) return { pass: 'all', reason, connection };
  const { circuit } = connection;
  const nowMs = ports.clock.now();
  if (openUntil(circuit.nextProbeAtMs, nowMs) !== null) return { pass: 'none', reason, connection };
  const probes = circuit.probes + 1;
  const next: Circuit = { ...circuit, probes, nextProbeAtMs: nowMs + doubledWait(CIRCUIT.openMs, probes) };
  if (!(await set(connection, next, ports))) return { pass: 'none', reason, connection };
  return { pass: 'probe', reason, connection: { ...connection, circuit: next } };
}

async function enterPaused(connection: Connection, ports: GatePorts): Promise<Gate> {
  const reason = 'connection_paused';
  const nowMs = ports.clock.now();
  const dueSinceMs = probeDueSince(pauseProbeMs(connection), nowMs);
  const probeAtMs = nowMs + PAUSE_PROBE_MS;
  const isMine =
    dueSinceMs !== null && (await moved(() => ports.config.moveProbe(connection, probeAtMs), 'probe', ports));
  if (!isMine) return { pass: 'none', reason, connection };
  return { pass: 'probe', reason, connection: { ...connection, probeAtMs } };
}

/** There was nothing to send, only questions to put: the next job may probe at once. */
export async function giveBack({ pass, connection }: Gate, ports: GatePorts): Promise<void> {
  if (pass !== 'probe' || connection === null) return;
  const nowMs = ports.clock.now();
  const { circuit } = connection;
  if (connection.status === 'paused')
    await moved(() => ports.config.moveProbe(connection, nowMs), 'probe', ports);
  else if (circuit !== undefined) await set(connection, { ...circuit, nextProbeAtMs: nowMs }, ports);
}

/** Called for each event of a job: whether it may be sent. */
export function admission({ pass, reason }: Pick<Gate, 'pass' | 'reason'>): () => boolean {
  const probe = reason === 'connection_paused' ? 1 : PROBE_EVENTS;
  let left = { all: Number.POSITIVE_INFINITY, probe, none: 0 }[pass];
  return () => left-- > 0;
}

/** After the calls of one request: opens the circuit, keeps it open for longer, or closes it. */
export async function leaveGate(
  { connection }: Gate,
  notes: readonly CallNote[],
  ports: GatePorts,
): Promise<void> {
  if (connection === null || notes.length === 0) return;
  if (connection.status === 'paused') return await leavePaused(connection, notes, ports);
  const { circuit } = connection;
  if (notes.some(({ ok }) => ok)) {
    if (circuit === undefined || !(await set(connection, null, ports))) return;
    if (circuit.toldAtMs !== undefined) await tell(connection, 'resumed', ports);
    return;
  }
  const known = await askForMail(connection, ports);
  const untilMs = Math.max(...notes.map(({ openUntilMs }) => openUntilMs ?? 0));
  const isLonger = untilMs > (circuit?.nextProbeAtMs ?? 0);
  const next = isLonger ? openedUntil(untilMs, known, notes, ports) : known;
  if (next !== undefined && next !== circuit) await set(connection, next, ports);
}

function openedUntil(
  untilMs: number,
  known: Circuit | undefined,
  notes: readonly CallNote[],
  { clock }: Pick<GatePorts, 'clock'>,
): Circuit {
  const failedCall = notes.findLast(({ failed }) => failed !== undefined)?.failed;
  return {
    ...(known ?? { openedAtMs: clock.now(), probes: 0 }),
    nextProbeAtMs: untilMs,
    ...(failedCall === undefined ? {} : { failedCall }),
  };
}

/** The connection's circuit, with the time where a mail is asked for now. A message that is lost is sent again. */
async function askForMail(connection: Connection, ports: GatePorts): Promise<Circuit | undefined> {
  const { circuit } = connection;
  const nowMs = ports.clock.now();
  if (circuit === undefined || ports.taskWork === undefined || !needsMail(connection, nowMs)) return circuit;
  return (await tell(connection, 'failing', ports)) ? { ...circuit, toldAtMs: nowMs } : circuit;
}

/** What a person changed meanwhile stands. Of any other answer nothing is known about the credentials. */
async function leavePaused(
  connection: Connection,
  notes: readonly CallNote[],
  ports: GatePorts,
): Promise<void> {
  const { config, clock, report } = ports;
  if (!notes.some(({ taken }) => taken)) return;
  try {
    if ((await config.changeConnection(connection, { pause: null }, clock.now())) === null) return;
  } catch (error) {
    report('a connection whose credentials are taken again was not resumed', error);
    return;
  }
  await tell(connection, 'resumed', ports);
}

/** Asks for a mail to the merchant. */
async function tell(
  connection: Connection,
  what: 'failing' | 'resumed',
  { taskWork, report }: Pick<GatePorts, 'taskWork' | 'report'>,
): Promise<boolean> {
  const about = { merchant: connection.merchantId, slot: connectionTarget(connection) };
  const { id } = connection;
  try {
    await taskWork?.send(
      byTenant([what === 'failing' ? { ...about, failing: id } : { ...about, resumed: id }]),
    );
    return true;
  } catch (error) {
    report('a merchant could not be told of a connection', error);
    return false;
  }
}

/** If this write fails, the next call that fails or succeeds writes the circuit. */
const set = (connection: Connection, circuit: Circuit | null, ports: GatePorts): Promise<boolean> =>
  moved(() => ports.config.setCircuit(connection, circuit, ports.clock.now()), 'circuit', ports);

async function moved(
  write: () => Promise<boolean>,
  what: 'circuit' | 'probe',
  { report }: GatePorts,
): Promise<boolean> {
  try {
    return await write();
  } catch (error) {
    report(`the ${what} of a connection was not moved`, error);
    return false;
  }
}
