// How the deletion of a person is passed on to a platform: by requests where the vendor documents some that a connection's own
// credentials may make, and otherwise why not. Part of each platform's definition, so that it is said in one place.
import type { HttpRequest, HttpResult } from '../../core/ports/transport.ts';
import type { Outcome } from '../domain/deliveries/delivery.ts';
import type { HashedIdentity } from '../domain/identity/identity.ts';
import { type Answer, type Fields, failureOutcome } from './answer.ts';
import type { OwnError } from './error-table.ts';
import { ownOutcomes } from './own-answer.ts';

/** By the words of a request for erasure. */
export interface DeletedPerson {
  /** Absent where the request had a digest. */
  readonly email?: string;
  /** E.164; absent where the request had a digest. */
  readonly phone?: string;
  readonly hashed: HashedIdentity;
}

interface Documented {
  /** The vendor's page; where it documents no deletion, that of the interface in use. */
  readonly docs: string;
  /** YYYY-MM-DD on which it was read. */
  readonly readOn: string;
}

/** A sentence for the merchant says why. */
interface NoWay extends Documented {
  /** `no`: the vendor documents none · `other_rights`: it does, for rights that a connection for events has not. */
  readonly offered: 'no' | 'other_rights';
  readonly why: string;
}

interface Way<Credentials> extends Documented {
  readonly offered: 'yes';
  /** What it finds a person by, in words: `an e-mail address or a phone number, unhashed`. */
  readonly finds: string;
  /** False where the person has nothing that the platform finds people by. */
  readonly names: (person: DeletedPerson) => boolean;
  /** At least one for a person that is named, the same ones in the same order each time. A repeated one does no harm. */
  readonly buildRequests: (
    person: DeletedPerson,
    credentials: Credentials,
    context: { readonly accessToken?: string },
  ) => readonly HttpRequest[];
}

export type Deletion<Credentials> =
  | NoWay
  | (Way<Credentials> & {
      /** Of one request. `delivered`: taken; whatever else it is, the deletion was not. Total. */
      readonly readResponse: (result: HttpResult) => Outcome;
    });

/** As a folder writes it down. */
export type DeletionDefinition<Credentials> =
  | NoWay
  | (Way<Credentials> & {
      readonly readAnswer: (answer: Answer, body: Fields | undefined) => Outcome;
    });

export function withReader<Credentials>(
  deletion: DeletionDefinition<Credentials>,
  isOwnError: OwnError,
): Deletion<Credentials> {
  if (deletion.offered !== 'yes') return deletion;
  const { readAnswer, ...way } = deletion;
  return {
    ...way,
    readResponse: (result) => {
      if (result.kind === 'failure') return failureOutcome(result);
      const [outcome = NOTHING] = ownOutcomes(result, 1, { isOwnError }, (body) => [
        readAnswer(result, body),
      ]);
      return outcome;
    },
  };
}

const NOTHING: Outcome = { kind: 'retry', code: 'unreadable_answer' };

/** Of a vendor in whose documents of this interface there is no deletion of people. */
export const noDeletion = (label: string, docs: string, readOn: string): NoWay => ({
  offered: 'no',
  why: `${label} documents no way to delete a person from the events that it took.`,
  docs,
  readOn,
});
