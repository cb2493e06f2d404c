// Mails of a person that became no message, taken out with their originals. Guarantees: one that came after the erasure was asked
// for is of somebody who came back, and stays.
import { isAsideOf, type SetAsideMail } from '#lib/helpdesk/domain/mail/set-aside.ts';
import { TOTAL_MAX } from '#lib/helpdesk/ports/stores.ts';
import type { TaskPorts } from './ports.ts';

const READ_AT_ONCE = 2_000;

export async function eraseSetAside(
  {
    workspaceId,
    email,
    createdAtMs,
  }: { readonly workspaceId: string; readonly email: string | null; readonly createdAtMs: number },
  { stores, originals }: TaskPorts,
): Promise<void> {
  if (email === null) return;
  const theirs: SetAsideMail[] = [];
  for (let offset = 0; offset < TOTAL_MAX; offset += READ_AT_ONCE) {
    const { mails, total } = await stores.setAside.list(workspaceId, { limit: READ_AT_ONCE, offset });
    theirs.push(...mails.filter((mail) => mail.receivedAtMs <= createdAtMs && isAsideOf(mail, email)));
    // A page may lack mails that cannot be read.
    if (offset + READ_AT_ONCE >= total) break;
  }
  for (const mail of theirs) {
    // One that was accepted has its original in common with its message, which goes with its ticket.
    if (originals === null)
      throw new Error('the original of a mail cannot be removed: no e-mail is configured');
    if (mail.ticketId === null) await originals.remove(mail.originalKey);
    await stores.setAside.remove(mail);
  }
}
