// Memory of each function, MB, from what `npm run bench -- --only memory` measures. A function's share of a core grows with
// its memory (1,769 MB is one whole core), so CPU costs the same at any size and waiting costs more the larger it is: the
// right size is the smallest one that the process fits into with room to spare, and at which the largest unit of work of one
// invocation takes no more than a third of its timeout. docs/benchmarks.md has the table.

/** Three quarters of an ingestion's time is waiting for DynamoDB and SQS. */
export const INGESTION_MB = 512;
/** Nobody waits for a stage, but its process alone takes up to 230 MB. */
export const STAGE_MB = 512;
/** It gets the most rows at once, and what becomes of all of them waits for the last. */
const NORMALIZE_MB = 1_024;

export const stageMb = (name: string): number => (name === 'Normalize' ? NORMALIZE_MB : STAGE_MB);
/** A person waits for its answers, which are mostly CPU: reading and deciding hundreds of rows. */
export const API_MB = 1_024;
