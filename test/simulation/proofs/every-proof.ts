// All proofs, in the order of the report.
import { audits } from './audits.ts';
import { copies } from './copies.ts';
import { crashPoints } from './crash-points.ts';
import { folds } from './folds.ts';
import { openDoor } from './open-door.ts';
import { outage } from './outage.ts';
import { pacing } from './pacing.ts';
import { parking } from './parking.ts';
import { poison } from './poison.ts';
import type { Proof } from './proof.ts';
import { purges } from './purges.ts';
import { quarantine } from './quarantine.ts';
import { races } from './races.ts';
import { replays } from './replays.ts';
import { revocations } from './revocations.ts';
import { settles } from './settles.ts';
import { shards } from './shards.ts';
import { storms } from './storms.ts';
import { windowEdges } from './window-edges.ts';

/** Runs for `npm test`, and for `npm run prove`. */
export const PROOFS: readonly { readonly proof: Proof; readonly short: number; readonly long: number }[] = [
  { proof: crashPoints, short: 1, long: 15 },
  { proof: storms, short: 40, long: 4_000 },
  { proof: copies, short: 20, long: 400 },
  { proof: races, short: 100, long: 2_000 },
  { proof: windowEdges, short: 10_000, long: 10_000 },
  { proof: purges, short: 15, long: 300 },
  { proof: poison, short: 5, long: 100 },
  { proof: quarantine, short: 8, long: 400 },
  { proof: folds, short: 300, long: 10_000 },
  { proof: shards, short: 100, long: 4_000 },
  { proof: audits, short: 12, long: 300 },
  { proof: settles, short: 40, long: 2_000 },
  { proof: revocations, short: 300, long: 20_000 },
  { proof: replays, short: 75, long: 4_000 },
  { proof: openDoor, short: 20, long: 1_000 },
  { proof: outage, short: 4, long: 100 },
  { proof: parking, short: 8, long: 200 },
  { proof: pacing, short: 3, long: 100 },
];
