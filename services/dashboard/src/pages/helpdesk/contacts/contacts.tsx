// Contacts: find one, see what is kept of it. The list's search and the open contact are in the URL.
import { Link } from 'wouter';
import { useHelpdesk } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Empty, LoadedPanel, Page } from '#dashboard/parts/page.tsx';
import { Cell, Row, Table } from '#dashboard/parts/table.tsx';
import { type UrlProps, useUrlState, withQuery } from '#dashboard/parts/url-state.ts';
import { count, Id, Time } from '#dashboard/parts/written.tsx';
import { Find, PAGE_ROWS, Pager } from '../find.tsx';
import { OneContact } from './one-contact.tsx';

export default function ContactsPage() {
  const [state, change] = useUrlState();
  if (state.id) return <OneContact id={state.id} back={withQuery('/contacts', { ...state, id: '' })} />;
  return <AllContacts state={state} change={change} />;
}

function AllContacts({ state, change }: UrlProps) {
  const { search = '', offset = '' } = state;
  const contacts = useHelpdesk(
    'listContacts',
    { query: { limit: PAGE_ROWS, search: search || undefined, offset: offset || undefined } },
    { keep: true },
  );
  return (
    <Page title="Contacts" about="One for each address that wrote to you, or that you have added.">
      <div className="mb-4">
        <Find
          key={search}
          search={search}
          placeholder="Name, e-mail, company"
          find={(text) => change({ search: text, offset: '' })}
        />
      </div>
      <LoadedPanel
        title={contacts.data ? `${count(contacts.data.total)} contacts` : 'Contacts'}
        busy={contacts.isPlaceholderData}
        query={contacts}
        rows={8}
      >
        {({ contacts: rows, total }) =>
          rows.length === 0 ? (
            <Empty title={search ? 'No contact has these words' : 'There is no contact yet'}>
              {search ? (
                <Button onClick={() => change({ search: '', offset: '' })}>Show all contacts</Button>
              ) : (
                'A contact is made when a customer writes for the first time.'
              )}
            </Empty>
          ) : (
            <>
              <Table name="Contacts" head={['E-mail', 'Name', 'Company', 'Since']}>
                {rows.map(({ id, email, name, company, created_at }) => (
                  <Row key={id}>
                    <Cell className="min-w-40">
                      <Link href={withQuery('/contacts', { ...state, id })}>
                        <Id>{email}</Id>
                      </Link>
                    </Cell>
                    <Cell className="foreign min-w-32">{name}</Cell>
                    <Cell className="foreign min-w-32">{company}</Cell>
                    <Cell className="whitespace-nowrap">
                      <Time at={created_at} as="ago" />
                    </Cell>
                  </Row>
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
