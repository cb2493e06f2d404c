// Who is to be erased, as it rests in the job: sealed under the merchant's data key, for this job and no other.
import type { Vault } from '#lib/core/ports/vault.ts';
import type { Subject } from './subject.ts';

const contextOf = (erasureId: string): string => `erasure/${erasureId}`;

export async function sealSubject(
  { merchantId, id }: { readonly merchantId: string; readonly id: string },
  subject: Subject,
  vault: Pick<Vault, 'seal'>,
): Promise<string> {
  return await vault.seal(merchantId, contextOf(id), JSON.stringify(subject));
}

export async function openSubject(
  {
    merchantId,
    id,
    sealedSubject = '',
  }: { readonly merchantId: string; readonly id: string; readonly sealedSubject?: string },
  vault: Pick<Vault, 'open'>,
): Promise<Subject> {
  return JSON.parse(await vault.open(merchantId, contextOf(id), sealedSubject)) as Subject;
}
