// Broken variants of the code, one for each way to get it wrong that somebody might take for an improvement. A check
// that catches none of them proves nothing; every check has to catch at least one.
import { auditMutants } from './audit-mutants.ts';
import { batchMutants } from './batch-mutants.ts';
import { counterMutants } from './counter-mutants.ts';
import { deliveryMutants } from './delivery-mutants.ts';
import { expressMutants } from './express-mutants.ts';
import { ingestionMutants } from './ingestion-mutants.ts';
import { keyMutants } from './key-mutants.ts';
import type { Mutant } from './mutant.ts';
import { openDoorMutants } from './open-door-mutants.ts';
import { parkingMutants } from './parking-mutants.ts';
import { quarantineMutants } from './quarantine-mutants.ts';
import { replayMutants } from './replay-mutants.ts';
import { retryMutants } from './retry-mutants.ts';
import { rowMutants } from './row-mutants.ts';
import { settlingMutants } from './settling-mutants.ts';
import { shardMutants } from './shard-mutants.ts';

export const MUTANTS: readonly Mutant[] = [
  ...ingestionMutants(),
  ...rowMutants(),
  ...expressMutants(),
  ...deliveryMutants(),
  ...batchMutants(),
  ...retryMutants(),
  ...parkingMutants(),
  ...counterMutants(),
  ...auditMutants(),
  ...settlingMutants(),
  ...keyMutants(),
  ...shardMutants(),
  ...quarantineMutants(),
  ...openDoorMutants(),
  ...replayMutants(),
];
