// Replays on their way through the head of the pipe: their original is opened instead of what a caller sent. And tests, of which no
// page, order or person learns anything.
// Guarantees: a retry by hand is committed only after its original's deliveries ended, each for this retry and no other.
import { NO_PAYLOAD_HASH } from '#lib/events/domain/erasure/erased-row.ts';
import type { AcceptedRow, NormalizedRow, ReplayOrigin } from '#lib/events/domain/event/row.ts';
import type { NormalizeDecision } from '#lib/events/pipeline/normalize-event.ts';
import { takeOver } from '#lib/events/pipeline/replay/take-over.ts';
import { openSealed, sealEvent } from '#lib/events/pipeline/sealed-event.ts';
import type { NormalizePorts } from './ports.ts';
import { type Decisive, decideReplay, decideRow } from './suppression.ts';

type ReplayRow = AcceptedRow & { readonly replayOf: ReplayOrigin };

export const isReplayRow = (row: AcceptedRow): row is ReplayRow => row.replayOf !== undefined;

export async function normalizedReplay(
  row: ReplayRow,
  decisive: Decisive,
  ports: NormalizePorts,
): Promise<NormalizedRow> {
  const { replayOf, key } = row;
  const originalKey = { ...key, eventId: replayOf.eventId };
  const { receivedAtMs } = row;
  const original = { key: originalKey, ingestId: replayOf.ingestId, receivedAtMs };
  const personal =
    row.erasedBy === undefined ? await openSealed(original, replayOf.event, ports.eventVault) : null;
  const { connections } = decisive.routing;
  const wanted =
    replayOf.takesOver === true ? withPlatforms(row, await takeOver(row, connections, ports)) : row;
  return await decided(row, await decideReplay(wanted, personal, decisive, ports), decisive, ports);
}

export async function normalizedTest(
  row: AcceptedRow,
  decisive: Decisive,
  ports: NormalizePorts,
): Promise<NormalizedRow> {
  const { decided: decision, hasPerson } = await decideRow(row, undefined, decisive, ports);
  const known = hasPerson ? row : { ...row, payloadHash: NO_PAYLOAD_HASH };
  return await decided(known, decision, decisive, ports);
}

async function decided(
  row: AcceptedRow,
  { event, verdicts }: NormalizeDecision,
  { routing }: Decisive,
  { eventVault }: NormalizePorts,
): Promise<NormalizedRow> {
  const { body: _body, replayOf: _of, ...base } = row;
  return {
    ...base,
    state: 'normalized',
    event: await sealEvent(row, event, eventVault),
    routingVersion: routing.version,
    verdicts,
    deliveries: {},
    revision: 0,
    sweeps: 0,
  };
}

const withPlatforms = (row: ReplayRow, platforms: readonly string[]): ReplayRow => ({
  ...row,
  body: { ...row.body, internal: { ...row.body.internal, only_platforms: platforms } },
});
