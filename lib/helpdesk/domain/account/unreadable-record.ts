// A stored record that cannot be read: written by a release that was rolled back, or by hand. Readers skip it and
// report its kind and id; the message has nothing of its content.
import { Unreadable } from '#lib/core/record/unreadable-item.ts';
import type { DueKind } from './due-kind.ts';

export class UnreadableRecord extends Unreadable {
  override readonly name = 'UnreadableRecord';
  readonly kind: DueKind;
  readonly workspaceId: string;
  readonly id: string;

  constructor(kind: DueKind, key: { readonly workspaceId: string; readonly id: string }, problem: string) {
    super(`a stored ${kind} cannot be read: ${problem}`);
    this.kind = kind;
    this.workspaceId = key.workspaceId;
    this.id = key.id;
  }
}
