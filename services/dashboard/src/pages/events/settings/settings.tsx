// Settings: the shop, what its pages may send, and how long personal data is kept. Only what was changed is sent; what the
// API refuses lands at its field.

import { useState } from 'react';
import { useAccount, useRefusal } from '#dashboard/app/account.ts';
import { type Answer, type Input, useChange } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Choice, Field, Form, fieldsOf } from '#dashboard/parts/field.tsx';
import { Failure, Loaded, Notice, Page, Panel } from '#dashboard/parts/page.tsx';
import { problemsOf } from '#dashboard/parts/problems.ts';
import { Time } from '#dashboard/parts/written.tsx';

type Account = Answer<'getAccount'>['account'];
type Changes = Input<'updateAccount'>['body'];

type Settings = Account['settings'];

const DEFAULT = 'Empty: the default.';

interface Entry {
  readonly label: string;
  readonly help?: string;
  readonly maxLength?: number;
  /** Absent: it is typed. */
  readonly options?: readonly (readonly [value: string, name: string])[];
}

/** In the order of the form. What the API answers says what each is: a number, a list with spaces between, or a text. */
const ENTRIES = {
  time_zone: {
    label: 'Time zone',
    help: `Whose days figures and lists go by, such as Europe/Berlin. ${DEFAULT}`,
  },
  reporting_currency: {
    label: 'Currency of sums',
    help: 'Such as EUR: revenue in other currencies is shown in it, at the rates of PUT /v1/account/rates. Empty: each currency stands alone.',
    maxLength: 3,
  },
  browser_ingestion_enabled: {
    label: 'Events from browsers',
    options: [
      ['true', 'taken'],
      ['false', 'refused'],
    ],
  },
  origins: {
    label: 'Origins of the pages whose events are taken',
    help: 'Such as https://shop.example, with spaces between. Any page where there is none.',
  },
  events_per_minute_max: { label: 'Browser events a minute, at most', help: DEFAULT },
  server_copy_wait_sec: {
    label: 'Seconds for which a browser event waits for the server’s',
    help: `Where servers send events of its name too: it yields to those. ${DEFAULT}`,
  },
  page_copy_wait_sec: {
    label: 'Seconds for which a server’s order waits for the browser’s',
    help: `Where it has no click id: it is completed from the page. 0: it does not wait. ${DEFAULT}`,
  },
  allowed_parameters: {
    label: 'Parameters that may hold personal data',
    help: 'Names in addresses and in custom data, with spaces between. E-mail addresses, phone numbers and names in others are removed before anything is sent to a platform.',
  },
  withhold_personal_from: {
    label: 'Platforms that get no event with personal data in it',
    help: 'Such as meta tiktok, with spaces between. Others get the event, without what was found.',
  },
  retention_days: {
    label: 'Days for which personal data is kept',
    help: `Fewer days erase at the next hour what is older, for good. ${DEFAULT}`,
  },
  suppression: {
    label: 'Later events of people who were erased or objected',
    options: [
      ['off', 'like any other'],
      ['without_identity', 'sent without their person'],
      ['not_sent', 'not sent'],
    ],
  },
} as const satisfies Readonly<Partial<Record<keyof Settings, Entry>>>;

type Setting = keyof typeof ENTRIES;
type Typed = Readonly<Record<'name' | 'store_url' | Setting, string>>;
const SHOWN = Object.entries(ENTRIES) as (readonly [Setting, Entry])[];

const textOf = (value: Settings[Setting]): string =>
  Array.isArray(value) ? value.join(' ') : String(value ?? '');

/** As the API takes it, which is as it answers `known`; null: back to the default. */
function sentOf(text: string, known: Settings[Setting]) {
  if (Array.isArray(known)) return text.split(/\s+/).filter((one) => one !== '');
  if (typeof known === 'boolean') return text === 'true';
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return typeof known === 'number' ? Number(trimmed) : trimmed;
}

const typedOf = ({ name, store_url, settings }: Account): Typed => ({
  ...(Object.fromEntries(SHOWN.map(([one]) => [one, textOf(settings[one])])) as Record<Setting, string>),
  name,
  store_url: store_url ?? '',
});

function changesOf({ settings }: Account, before: Typed, typed: Typed): Changes {
  const differs = (name: keyof Typed): boolean => before[name] !== typed[name];
  const changed = SHOWN.filter(([one]) => differs(one)).map(([one]) => [
    one,
    sentOf(typed[one], settings[one]),
  ]);
  return {
    ...(differs('name') ? { name: typed.name } : {}),
    ...(differs('store_url') ? { store_url: typed.store_url.trim() === '' ? null : typed.store_url } : {}),
    ...(changed.length === 0 ? {} : { settings: Object.fromEntries(changed) }),
  };
}

export default function SettingsPage() {
  const account = useAccount();
  const update = useUpdate();
  return (
    <Page title="Settings" about="Your shop, what its pages may send, and how long personal data is kept.">
      <Loaded query={account} rows={6}>
        {({ account: shown }) => <ShopForm key={JSON.stringify(shown)} account={shown} update={update} />}
      </Loaded>
    </Page>
  );
}

/** Of the page: the form begins anew with what was saved. */
const useUpdate = () =>
  useChange(({ client }, body: Changes) => client.updateAccount({ body }), { refresh: ['getAccount'] });

interface FormProps {
  readonly account: Account;
  readonly update: ReturnType<typeof useUpdate>;
}

function ShopForm({ account, update }: FormProps) {
  const before = typedOf(account);
  const [typed, setTyped] = useState(before);
  const refusal = useRefusal('updateAccount');
  const changes = changesOf(account, before, typed);
  const isSame = Object.keys(changes).length === 0;
  const { at, rest } = problemsOf(update.error, Object.keys(before), 'settings.');
  const bind = fieldsOf(typed, (name, text) => setTyped({ ...typed, [name]: text }), { at });
  return (
    <Panel title="Shop">
      {refusal !== undefined && <Notice tone="plain">{refusal}</Notice>}
      <Form
        send={() => {
          if (isSame || refusal !== undefined) return;
          update.send(changes);
        }}
      >
        <div className="grid max-w-160 gap-4">
          <Field label="Name" maxLength={200} {...bind('name')} />
          <Field label="Address of the shop" {...bind('store_url')} />
          {SHOWN.map(([one, { options, ...entry }]) =>
            options === undefined ? (
              <Field
                key={one}
                inputMode={typeof account.settings[one] === 'number' ? 'numeric' : undefined}
                {...entry}
                {...bind(one)}
              />
            ) : (
              <Choice key={one} {...entry} options={options} {...bind(one)} />
            ),
          )}
        </div>
        <Failure error={rest} />
        <div className="mt-4 flex items-center gap-3">
          <Button
            type="submit"
            kind="primary"
            busy={update.isPending}
            refused={refusal ?? (isSame ? 'Nothing was changed.' : undefined)}
          >
            Save
          </Button>
          <output>{update.data && isSame ? 'Saved; ingestion follows within half a minute.' : ''}</output>
        </div>
      </Form>
      <p className="mt-4 text-sm text-dim">
        Merchant <span className="foreign font-mono">{account.merchant_id}</span>, since{' '}
        <Time at={account.created_at} />.
      </p>
    </Panel>
  );
}
