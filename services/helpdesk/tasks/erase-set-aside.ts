// Removes a person's mails that became no message, with their originals. Guarantees: a mail that came after the erasure
// was requested stays: the person came back.
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
    // An accepted mail shares its original with its message, which is erased with its ticket.
    if (originals === null)
      throw new Error('the original of a mail cannot be removed: no e-mail is configured');
    if (mail.ticketId === null) await originals.remove(mail.originalKey);
    await stores.setAside.remove(mail);
  }
}
