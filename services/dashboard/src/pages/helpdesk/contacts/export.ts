// All that is kept of a contact, as one file: the helpdesk answers it in pages.
import type { HelpdeskAnswer } from '#dashboard/app/api.tsx';
import type { HelpdeskClient } from '#lib/client/helpdesk-client.ts';

type ExportPage = HelpdeskAnswer<'exportContact'>;
type Whole = Omit<ExportPage, 'success' | 'next_cursor'>;

export async function exportAll(helpdesk: HelpdeskClient, id: string): Promise<Whole> {
  let cursor: string | null = null;
  let whole: Whole | undefined;
  do {
    const query: { cursor?: string } = cursor === null ? {} : { cursor };
    const answer: ExportPage = (await helpdesk.exportContact({ params: { id }, query })).body;
    const { contact, tickets, messages, runs, events } = answer;
    whole = {
      contact,
      tickets: [...(whole?.tickets ?? []), ...tickets],
      messages: [...(whole?.messages ?? []), ...messages],
      runs: [...(whole?.runs ?? []), ...runs],
      events: [...(whole?.events ?? []), ...events],
    };
    cursor = answer.next_cursor;
  } while (cursor !== null);
  return whole;
}
