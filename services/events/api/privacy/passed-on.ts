// The deletion of a person at the merchant's platforms: which are to be asked, and what is said of each. Guarantees: who it is rests
// in the clear, sealed, only where a platform is to be asked; for each connection there is a sentence.
import type { Success } from '#lib/core/http/handler.ts';
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import { connectionTarget } from '#lib/events/domain/connections/target.ts';
import { type Erasure, isOpen, PASSING_MS, type Passing } from '#lib/events/domain/erasure/erasure.ts';
import { normalizeIdentity } from '#lib/events/domain/identity/normalize.ts';
import { sealPerson } from '#lib/events/pipeline/erasure/sealed-subject.ts';
import type { SubjectWords } from '#lib/events/pipeline/erasure/subject.ts';
import type { DeletedPerson } from '#lib/events/platforms/deletion.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import type { readErasure } from '#lib/events/routes/privacy.ts';
import type { ApiPorts } from '../ports.ts';
import { iso } from '../wire-time.ts';

type View = Success<typeof readErasure>['body']['erasure']['passed_on'][number];
type Ports = Pick<ApiPorts, 'config' | 'platforms' | 'vault' | 'lookups'>;

/** What a job keeps of it: a place for each connection there is, and the person where one of them is to be asked. */
export async function toPassOn(
  job: Pick<Erasure, 'merchantId' | 'id'>,
  words: SubjectWords,
  { config, platforms, vault, lookups }: Ports,
): Promise<Pick<Erasure, 'passing' | 'sealedPerson'>> {
  const person = await personOf(words, lookups);
  const connections = await config.listConnections(job.merchantId);
  const passing = connections.flatMap((connection): Passing[] => {
    const platform = platforms.find(({ slug }) => slug === connection.platform);
    if (platform === undefined) return [];
    const { id: connectionId, platform: slug, name } = connection;
    const state = stateAtFirst(platform, person);
    return [{ connectionId, slot: connectionTarget(connection), platform: slug, name, state, taken: 0 }];
  });
  if (passing.length === 0) return {};
  return {
    passing,
    ...(passing.some(isOpen) ? { sealedPerson: await sealPerson(job, person, vault) } : {}),
  };
}

async function personOf({ email, phone }: SubjectWords, lookups: Ports['lookups']): Promise<DeletedPerson> {
  const said = { ...(email === undefined ? {} : { email }), ...(phone === undefined ? {} : { phone }) };
  const { plain, hashed } = normalizeIdentity(said, await lookups());
  return {
    ...withoutUndefined({ email: plain.email, phone: plain.phone }),
    hashed,
  };
}

function stateAtFirst({ deletion }: Platform, person: DeletedPerson): Passing['state'] {
  if (deletion.offered !== 'yes') return deletion.offered === 'no' ? 'not_offered' : 'no_rights';
  return deletion.names(person) ? 'waiting' : 'not_named';
}

export function passedOnView(one: Passing, erasure: Erasure, platforms: readonly Platform[]): View {
  const platform = platforms.find(({ slug }) => slug === one.platform);
  const { passingSinceMs } = erasure;
  return {
    connection_id: one.connectionId,
    platform: one.platform,
    name: one.name,
    state: one.state,
    detail: detailOf(one, platform),
    docs: platform?.deletion.docs ?? null,
    answered_at: one.atMs === undefined ? null : iso(one.atMs),
    retried_until: passingSinceMs === undefined || !isOpen(one) ? null : iso(passingSinceMs + PASSING_MS),
  };
}

function detailOf(one: Passing, platform: Platform | undefined): string | null {
  const { deletion, label = one.platform } = platform ?? {};
  switch (one.state) {
    case 'not_offered':
    case 'no_rights':
      return deletion === undefined || deletion.offered === 'yes' ? null : deletion.why;
    case 'not_named':
      return deletion?.offered === 'yes' ? `${label} finds people by ${deletion.finds}.` : null;
    case 'removed':
      return 'The connection was removed before the platform was asked.';
    case 'passed_on':
      return null;
    default: {
      const said = [one.status, one.code].filter((word) => word !== undefined).join(' ');
      const words = [said, one.message].filter((word) => word !== undefined && word !== '').join(': ');
      return words === '' ? null : words;
    }
  }
}
