// What became of an event at one platform, in one of four words: the figures count by them, and the list filters by them.
export const OUTCOMES = ['delivered', 'waiting', 'failed', 'withheld'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Not normalized yet, queued, being sent, to be sent again, or held back until its connection works again. */
const WAITING: ReadonlySet<string> = new Set([
  'processing',
  'pending',
  'connection_paused',
  'QUEUED',
  'SENDING',
  'RETRY',
]);
const FAILED: ReadonlySet<string> = new Set(['FAILED', 'ERROR']);

/** `word`: the state of a delivery, or the verdict where nothing is to be delivered. */
export function outcomeOf(word: string): Outcome {
  if (word === 'DELIVERED') return 'delivered';
  if (WAITING.has(word)) return 'waiting';
  return FAILED.has(word) ? 'failed' : 'withheld';
}
