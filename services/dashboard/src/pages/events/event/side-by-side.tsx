// What was received, the request made from it, and the platform's answers, side by side. The request is built from the
// event each time it is opened; the answers are the stored ones of the attempts.
import type { ReactNode } from 'react';
import { useRefusal } from '#dashboard/app/account.ts';
import { useAsk } from '#dashboard/app/api.tsx';
import { JsonView } from '#dashboard/parts/json.tsx';
import { Loaded } from '#dashboard/parts/page.tsx';
import { PreviewNotices, ShownRequest } from '../shown-request.tsx';
import type { EventAnswer } from './event.tsx';
import { attemptText, type OneAttempt } from './places.ts';

interface SideBySideProps {
  readonly event: EventAnswer['event'];
  readonly platform: string;
  readonly label: string;
  readonly history: readonly OneAttempt[];
}

export function SideBySide({ event, platform, label, history }: SideBySideProps) {
  return (
    <div className="grid gap-4 lg:grid-cols-3">
      <Column title="Received">
        <p className="my-1 text-sm text-dim">Digests shortened, identifiers masked.</p>
        <JsonView name={`Received, for ${label}`} value={receivedOf(event)} />
      </Column>
      <Column title={`Request to ${label}`}>
        <Request event={event} platform={platform} label={label} />
      </Column>
      <Column title={`Answer of ${label}`}>
        <Answers history={history} label={label} />
      </Column>
    </div>
  );
}

function Column({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <h3>{title}</h3>
      {children}
    </div>
  );
}

/** What is about the event, without what is about our keeping it. */
function receivedOf(event: EventAnswer['event']) {
  const { event_name, event_id, event_time, value, currency, order_id, event_source_url } = event;
  const { items, consent, identity, custom_data } = event;
  return {
    event_name,
    event_id,
    event_time,
    value,
    currency,
    order_id,
    event_source_url,
    items: items.length === 0 ? undefined : items,
    consent,
    user_data: { ...identity.hashed, ...identity.raw },
    custom_data,
  };
}

/** Fetched when it is opened: the API builds it from the event, with every secret masked. */
function Request({ event, platform, label }: Omit<SideBySideProps, 'history'>) {
  const refusal = useRefusal('previewPlatform');
  const body = { platform, event_id: event.event_id, trust: event.trust };
  const preview = useAsk('previewPlatform', { body }, { enabled: refusal === undefined });
  if (refusal !== undefined) return <p className="text-dim">{refusal}</p>;
  return (
    <Loaded query={preview} rows={4}>
      {({ request, warnings, errors }) => (
        <>
          <PreviewNotices errors={errors} warnings={warnings} />
          <ShownRequest request={request} label={label} />
        </>
      )}
    </Loaded>
  );
}

function Answers({ history, label }: Pick<SideBySideProps, 'history' | 'label'>) {
  const last = history.at(-1);
  if (last === undefined)
    return <p className="text-dim">Nothing was sent to it yet, so there is no answer.</p>;
  return (
    <>
      <p className="foreign my-1 text-sm">{attemptText(last)}</p>
      <JsonView
        name={`Answers of ${label}, the latest first`}
        value={history.length === 1 ? last : history.toReversed()}
      />
    </>
  );
}
