// Ways to let a revoked key in.

import type { KeyTableCall } from '../../support/memory/key-table.ts';
import type { Mutation } from '../world.ts';
import { caughtBy, type Mutant } from './mutant.ts';

const COPY = /^KEY#[0-9a-f]+#/;

export function keyMutants(): Mutant[] {
  const copies = (change: (call: KeyTableCall) => () => object): Mutation => ({
    keyTable: (call) =>
      call.name === 'PutCommand' && COPY.test(call.pk) ? { ...call, perform: change(call) } : call,
  });
  return caughtBy('revocations', 'G14', {
    'revokes the copies it finds, and leaves out those that are missing': copies((call) =>
      call.isConditional ? call.perform : () => (call.exists() ? call.perform() : {}),
    ),
    'revokes the record and none of its copies': copies((call) =>
      call.isConditional ? call.perform : () => ({}),
    ),
    'makes a copy whether or not there is one': copies((call) =>
      call.isConditional ? () => call.overwrite() : call.perform,
    ),
  });
}
