// Mail that became no message, with the reason: what was set aside by mistake is taken in from here.
import { Link } from 'wouter';
import { useMe } from '#dashboard/app/account.ts';
import { type HelpdeskAnswer, useChange, useHelpdesk } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Empty, Failure, LoadedPanel, Page } from '#dashboard/parts/page.tsx';
import { Cell, Row, Table } from '#dashboard/parts/table.tsx';
import { useUrlState, withQuery } from '#dashboard/parts/url-state.ts';
import { counted, Time } from '#dashboard/parts/written.tsx';
import { PAGE_ROWS, Pager } from '../find.tsx';

type Mail = HelpdeskAnswer<'listSetAsideMail'>['mails'][number];

const REASONS: Readonly<Record<Mail['reason'], string>> = {
  bulk: 'A newsletter',
  auto_reply: 'An automatic answer',
  bounce: 'A mail server could not deliver a mail',
  loop: 'It came from an address of yours',
  no_sender: 'It names no sender',
  spam: 'Spam',
  virus: 'It holds a virus',
  too_large: 'Larger than 30 MB',
  unreadable: 'It could not be read',
};

/** A mail that was asked for is taken in by another process. */
const LOOK_AGAIN_MS = 5_000;

export default function SetAsidePage() {
  const [{ offset = '' }, change] = useUrlState();
  const mails = useHelpdesk(
    'listSetAsideMail',
    { query: { limit: PAGE_ROWS, offset: offset || undefined } },
    { keep: true, everyMs: LOOK_AGAIN_MS },
  );
  return (
    <Page
      title="Mail set aside"
      about="What no customer seems to have written. It became no message, and is kept for 30 days."
    >
      <LoadedPanel
        title={mails.data ? counted(mails.data.total, 'mail') : 'Mails'}
        busy={mails.isPlaceholderData}
        query={mails}
        rows={8}
      >
        {({ mails: rows, total }) =>
          rows.length === 0 ? (
            <Empty title="Nothing was set aside">Every mail of the last 30 days became a message.</Empty>
          ) : (
            <>
              <Table name="Mails" head={['From', 'Subject', 'Why', 'Received', 'Message']}>
                {rows.map((mail) => (
                  <Entry key={mail.id} mail={mail} />
                ))}
              </Table>
              <Pager offset={offset} total={total} go={(to) => change({ offset: to })} />
            </>
          )
        }
      </LoadedPanel>
    </Page>
  );
}

function Entry({ mail }: { readonly mail: Mail }) {
  const { from, reply_to, subject, reason, received_at } = mail;
  return (
    <Row>
      <Cell className="foreign min-w-40">
        {from?.email ?? 'no sender'}
        {reply_to !== null && <span className="block text-sm text-dim">answers go to {reply_to}</span>}
      </Cell>
      <Cell className="min-w-40">
        <span className="foreign clipped">{subject || 'no subject'}</span>
      </Cell>
      <Cell className="min-w-32">{REASONS[reason]}</Cell>
      <Cell className="whitespace-nowrap">
        <Time at={received_at} as="ago" />
      </Cell>
      <Cell className="min-w-32">
        <Taking mail={mail} />
      </Cell>
    </Row>
  );
}

/** Its ticket once it has one; else the button, or why there is none. */
function Taking({ mail: { id, acceptable, ticket_id, subject } }: { readonly mail: Mail }) {
  const { data: me } = useMe();
  const accept = useChange(({ helpdesk }) => helpdesk.acceptSetAsideMail({ params: { id } }), {
    refresh: ['listSetAsideMail'],
  });
  if (ticket_id !== null) return <Link href={withQuery('/inbox', { id: ticket_id })}>Open the ticket</Link>;
  if (!acceptable) return <span className="text-dim">cannot be taken in</span>;
  if (accept.isSuccess) return <output>Being taken in…</output>;
  if (!me?.caller.scopes.includes('write:messages')) return null;
  return (
    <>
      <Button busy={accept.isPending} onClick={() => accept.send()}>
        Take in<span className="sr-only"> {subject}</span>
      </Button>
      <Failure error={accept.error} />
    </>
  );
}
