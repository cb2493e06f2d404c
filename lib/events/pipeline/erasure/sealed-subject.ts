// Who is to be erased, as it rests in the job: sealed under the merchant's data key, for this job and no other. As digests, by which
// rows are compared, and apart from those in the clear, where a platform deletes by nothing else.
import type { Vault } from '#lib/core/ports/vault.ts';
import type { DeletedPerson } from '../../platforms/deletion.ts';
import type { Subject } from './subject.ts';

interface Job {
  readonly merchantId: string;
  readonly id: string;
}

const contextOf = (erasureId: string): string => `erasure/${erasureId}`;
const personContextOf = (erasureId: string): string => `erasure/${erasureId}/person`;

export async function sealPerson(
  { merchantId, id }: Job,
  person: DeletedPerson,
  vault: Pick<Vault, 'seal'>,
): Promise<string> {
  return await vault.seal(merchantId, personContextOf(id), JSON.stringify(person));
}

export async function openPerson(
  { merchantId, id, sealedPerson }: Job & { readonly sealedPerson: string },
  vault: Pick<Vault, 'open'>,
): Promise<DeletedPerson> {
  return JSON.parse(await vault.open(merchantId, personContextOf(id), sealedPerson)) as DeletedPerson;
}

export async function sealSubject(
  { merchantId, id }: Job,
  subject: Subject,
  vault: Pick<Vault, 'seal'>,
): Promise<string> {
  return await vault.seal(merchantId, contextOf(id), JSON.stringify(subject));
}

export async function openSubject(
  { merchantId, id, sealedSubject = '' }: Job & { readonly sealedSubject?: string },
  vault: Pick<Vault, 'open'>,
): Promise<Subject> {
  return JSON.parse(await vault.open(merchantId, contextOf(id), sealedSubject)) as Subject;
}
