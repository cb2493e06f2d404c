// A broken variant of the code, and the proof that has to notice.
import type { AcceptedRow, NormalizedRow } from '#lib/events/domain/event/row.ts';
import type { EventStore } from '#lib/events/ports/event-store.ts';
import type { Property } from '../checks.ts';
import type { Mutation } from '../world.ts';

export interface Mutant {
  readonly name: string;
  /** The proof that must notice, by name, and the property it must find violated. */
  readonly proof: string;
  readonly property: Property;
  readonly mutation: Mutation;
}

/** Mutants, by name, that one proof must catch. */
export const caughtBy = (
  proof: string,
  property: Property,
  mutations: Readonly<Record<string, Mutation>>,
): Mutant[] => Object.entries(mutations).map(([name, mutation]) => ({ name, proof, property, mutation }));

/** Puts a row of any state in the place of what is there. */
export async function replaceRow(store: EventStore, row: NormalizedRow): Promise<boolean> {
  const old = await store.read(row.key);
  return old !== null && (await store.replace(row as unknown as AcceptedRow, old.ingestId));
}
