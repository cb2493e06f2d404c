// The helpdesk as a program sees it: what a page did is looked up here, and what it shows is made here.
import type { Session } from '#services/local/session.ts';

type Answer = Readonly<Record<string, unknown>>;

export function openDesk(session: () => Pick<Session, 'helpdesk_url' | 'helpdesk_api_key'>) {
  /** Rejects what is no success. */
  async function call(method: string, path: string, body?: unknown): Promise<Answer> {
    const { helpdesk_url, helpdesk_api_key } = session();
    const answer = await fetch(helpdesk_url + path, {
      method,
      headers: { 'x-api-key': helpdesk_api_key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Answer;
  }
  return {
    call,
    /** Its id. */
    async newTicket(subject: string, message = 'Where is it?'): Promise<string> {
      const { id } = await call('POST', '/api/v1/conversations', {
        subject,
        message,
        customer_email: 'ada@example.com',
      });
      return String(id);
    },
    /** Everything in its thread, oldest first. */
    async said(id: string): Promise<readonly string[]> {
      const { messages } = await call('GET', `/api/v1/messages?ticket_id=${id}`);
      return (messages as { body: string; internal_note: boolean }[]).map(
        ({ body, internal_note }) => `${internal_note ? 'note' : 'said'}: ${body}`,
      );
    },
  };
}
