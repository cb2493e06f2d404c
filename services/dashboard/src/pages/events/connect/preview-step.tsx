// Step 3: the request one event would become, with the credentials just typed. Nothing is sent or stored.
import { useEffect, useState } from 'react';
import { useAsk } from '../../../app/api.tsx';
import { Button } from '../../../parts/button.tsx';
import { Choice } from '../../../parts/field.tsx';
import { JsonView } from '../../../parts/json-view.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Empty, Loaded } from '../../../parts/states.tsx';
import type { AvailablePlatform } from '../platform-list.ts';
import { credentialsOf, type Problems, problemsOf, type Values } from './draft.ts';

interface PreviewStepProps {
  readonly platform: AvailablePlatform;
  readonly values: Values;
  readonly back: () => void;
  readonly next: () => void;
  /** The API says a field is wrong. */
  readonly refused: (problems: Problems) => void;
}

export function PreviewStep({ platform, back, next, ...rest }: PreviewStepProps) {
  const latest = useAsk(['latest-events'], (client, signal) =>
    client.listEvents({ query: { limit: 20 } }, { signal }),
  );
  const [chosen, choose] = useState('');
  const id = chosen || latest.data?.events[0]?.event_id;
  return (
    <Panel title={`Your event, as ${platform.label} would get it (nothing is sent)`}>
      <Loaded query={latest} rows={6}>
        {({ events }) =>
          id === undefined ? (
            <Empty title="There is no event to show yet">
              The test in the next step sends a made-up one.
            </Empty>
          ) : (
            <>
              <div className="mb-4 max-w-120">
                <Choice
                  label="Event"
                  value={id}
                  options={events.map(({ event_id, event_name }) => [
                    event_id,
                    `${event_name} · ${event_id}`,
                  ])}
                  change={choose}
                />
              </div>
              <Preview key={id} platform={platform} id={id} {...rest} />
            </>
          )
        }
      </Loaded>
      <div className="mt-4 flex gap-2">
        <Button onClick={back}>Back</Button>
        <Button kind="primary" onClick={next}>
          Next
        </Button>
      </div>
    </Panel>
  );
}

type OnePreview = Pick<PreviewStepProps, 'platform' | 'values' | 'refused'> & { readonly id: string };

function Preview({ platform: { platform, label }, values, id, refused }: OnePreview) {
  // The key holds no credential: what was asked is forgotten with this step.
  const [asked] = useState(() => crypto.randomUUID());
  const body = { platform, event_id: id, credentials: credentialsOf(values) };
  const preview = useAsk(['connect-preview', asked], (client, signal) =>
    client.previewPlatform({ body }, { signal }),
  );
  const details = preview.error !== null && 'details' in preview.error ? preview.error.details : undefined;
  useEffect(() => {
    const problems = problemsOf((details ?? []) as Parameters<typeof problemsOf>[0]);
    if (problems !== undefined) refused(problems);
  }, [details, refused]);
  return (
    <Loaded query={preview} rows={6}>
      {({ explanation, warnings, errors, request }) => (
        <div className="grid gap-4 md:grid-cols-2">
          <div className="min-w-0">
            <p className="foreign mb-2 font-bold">{explanation}</p>
            {[...errors, ...warnings].map(({ code, field, message }) => (
              <p key={`${code} ${field ?? ''}`} className="foreign py-1 text-sm text-wait">
                ▲ {message}
              </p>
            ))}
            {errors.length + warnings.length === 0 && <p className="text-good">✔ Nothing is missing.</p>}
          </div>
          <div className="min-w-0">
            {request === null ? (
              <p className="text-dim">No request can be made of it.</p>
            ) : (
              <>
                <p className="foreign mb-1 font-mono text-sm">
                  {request.method} {request.url}
                </p>
                <JsonView name={`Request to ${label}`} value={request.body_json ?? request.body} />
              </>
            )}
          </div>
        </div>
      )}
    </Loaded>
  );
}
