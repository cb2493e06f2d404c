// A stored item that this release cannot read: written by a later one that was rolled back, or by hand. Readers of many set it
// aside by name and serve the others; a reader of one throws it, which is answered 503. Guarantees: nothing of what the item
// holds is in the message.

/** Any of what is stored and cannot be read. */
export class Unreadable extends Error {
  override readonly name: string = 'Unreadable';
}

export class UnreadableItem extends Unreadable {
  override readonly name = 'UnreadableItem';
  /** What it would be, e.g. `team`. */
  readonly what: string;
  readonly key: ItemName;

  constructor(what: string, key: ItemName, problem: string) {
    super(`a stored ${what} cannot be read: ${problem}`);
    this.what = what;
    this.key = key;
  }
}

/** Where it lies. */
export interface ItemName {
  readonly pk: string;
  readonly sk: string;
}

/** Takes note of what was set aside. */
export type ItemQuarantine = (found: UnreadableItem) => void;
