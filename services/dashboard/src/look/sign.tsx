// An event's state at a platform, as a sign and a word: never by colour alone.

export type Fate = 'delivered' | 'waiting' | 'failed' | 'withheld' | 'none';

interface Look {
  readonly sign: string;
  readonly word: string;
  readonly text: string;
}

export const FATES: Readonly<Record<Fate, Look>> = {
  delivered: { sign: '✔', word: 'delivered', text: 'text-good' },
  waiting: { sign: '↻', word: 'waiting', text: 'text-wait' },
  failed: { sign: '✖', word: 'failed', text: 'text-bad' },
  withheld: { sign: '░', word: 'withheld', text: 'text-withheld' },
  none: { sign: '–', word: 'no such event there', text: 'text-dim' },
};

const WAITING = new Set(['QUEUED', 'SENDING', 'RETRY', 'pending', 'processing', 'connection_paused']);
const FAILED = new Set(['FAILED', 'ERROR', 'failed', 'error']);

/** For a delivery's state or a verdict, which the API writes in one field. */
export function fateOf(status: string): Fate {
  if (status === 'DELIVERED' || status === 'delivered') return 'delivered';
  if (WAITING.has(status)) return 'waiting';
  if (FAILED.has(status)) return 'failed';
  return status === 'unmapped' ? 'none' : 'withheld';
}

/** The sign, with its word for screen readers. */
export function Sign({ fate, said }: { readonly fate: Fate; readonly said?: string }) {
  const { sign, word, text } = FATES[fate];
  return (
    <span className={`${text} inline-block w-4 text-center font-bold`} role="img" aria-label={said ?? word}>
      {sign}
    </span>
  );
}
