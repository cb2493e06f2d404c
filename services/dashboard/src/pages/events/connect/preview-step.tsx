// Step 3: the request one event would become, with the credentials just typed. The event is a stored one, or one that is pasted
// and kept nowhere. Nothing is sent to the platform, and nothing is stored.
import { useState } from 'react';
import { useAsk } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Choice } from '#dashboard/parts/field.tsx';
import { Empty, Loaded, Panel } from '#dashboard/parts/page.tsx';
import { Tick } from '#dashboard/parts/tick.tsx';
import { PastedSource, type PastedText } from './pasted-source.tsx';
import { Preview, type PreviewProps } from './preview.tsx';

interface PreviewStepProps extends Omit<PreviewProps, 'event'> {
  readonly pasted: PastedText;
  readonly paste: (pasted: PastedText) => void;
  readonly back: () => void;
  readonly next: () => void;
}

export function PreviewStep({ platform, back, next, pasted, paste, ...rest }: PreviewStepProps) {
  return (
    <Panel title={`Your event, as ${platform.label} would get it (nothing is sent)`}>
      <fieldset className="mb-4 flex flex-wrap gap-x-6">
        <legend className="sr-only">Which event</legend>
        {[false, true].map((isWanted) => (
          <Tick
            key={String(isWanted)}
            group="event-source"
            isOn={pasted.isWanted === isWanted}
            set={() => paste({ ...pasted, isWanted })}
          >
            {isWanted ? 'An event I paste' : 'One of the latest events'}
          </Tick>
        ))}
      </fieldset>
      {pasted.isWanted ? (
        <PastedSource platform={platform} pasted={pasted} paste={paste} {...rest} />
      ) : (
        <StoredSource platform={platform} {...rest} />
      )}
      <div className="mt-4 flex gap-2">
        <Button onClick={back}>Back</Button>
        <Button kind="primary" onClick={next}>
          Next
        </Button>
      </div>
    </Panel>
  );
}

function StoredSource(preview: Omit<PreviewProps, 'event'>) {
  const latest = useAsk('listEvents', { query: { limit: 20 } });
  const [chosen, choose] = useState('');
  const id = chosen || latest.data?.events[0]?.event_id;
  return (
    <Loaded query={latest} rows={6}>
      {({ events }) =>
        id === undefined ? (
          <Empty title="There is no event to show yet">
            Paste one, or go on: the test in the next step sends a made-up one.
          </Empty>
        ) : (
          <>
            <div className="mb-4 max-w-120">
              <Choice
                label="Event"
                value={id}
                options={events.map(({ event_id, event_name }) => [event_id, `${event_name} · ${event_id}`])}
                change={choose}
              />
            </div>
            <Preview key={id} {...preview} event={{ event_id: id }} />
          </>
        )
      }
    </Loaded>
  );
}
