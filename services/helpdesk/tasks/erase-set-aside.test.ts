import { expect, it } from 'vitest';
import type { SetAsideMail } from '#lib/helpdesk/domain/mail/set-aside.ts';
import { eraseSetAside } from './erase-set-aside.ts';
import type { TaskPorts } from './ports.ts';

it('goes on behind a page that lacks a mail which cannot be read', async () => {
  const mail = { id: 'm', workspaceId: 'w', customerEmail: 'ada@example.com', from: null, receivedAtMs: 1 };
  const last = { ...mail, ticketId: null, originalKey: 'inbound/1' } as SetAsideMail;
  const removed: string[] = [];
  const ports = {
    stores: {
      setAside: {
        list: async (_: string, { offset }: { readonly offset: number }) => ({
          mails: offset === 0 ? [] : [last],
          total: 2_001,
        }),
        remove: async ({ id }: SetAsideMail) => void removed.push(id),
      },
    },
    originals: { remove: async (key: string) => void removed.push(key) },
  } as unknown as TaskPorts;
  await eraseSetAside({ workspaceId: 'w', email: 'ada@example.com', createdAtMs: 2 }, ports);
  expect(removed).toEqual(['inbound/1', 'm']);
});
