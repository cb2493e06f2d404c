// The keys of a merchant carry what the operator says of it.
import type { OperatorPorts } from './ports.ts';
import type { Refused } from './refused.ts';

/** Looks for keys that are about to be there, and what lies between two looks. */
const LOOKS = 5;
const LOOK_EVERY_MS = 1_000;

const KEY_BEING_MADE: Refused = {
  refused: 'conflict',
  field: 'merchant',
  sentence: 'has a key that is being made at this moment and may not follow: repeat the command in a minute',
};

/** How many do. */
export async function keysFollow(
  id: string,
  { config, clock, pause }: Pick<OperatorPorts, 'config' | 'clock' | 'pause'>,
): Promise<number | Refused> {
  for (let look = 1; ; look++) {
    const { keys, beingMade } = await config.markKeys(id, clock.now());
    if (beingMade === 0) return keys;
    if (look === LOOKS) return KEY_BEING_MADE;
    await pause(LOOK_EVERY_MS);
  }
}
