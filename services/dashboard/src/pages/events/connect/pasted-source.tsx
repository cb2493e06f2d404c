// A pasted event for the preview: invalid JSON is reported with its position, without a request.
import { useId, useState } from 'react';
import { Button } from '#dashboard/parts/button.tsx';
import { readPasted } from './pasted-event.ts';
import { type PastedEvent, Preview, type PreviewProps } from './preview.tsx';

/** The pasted text, and whether it is the one to show: for as long as the page is open. */
export interface PastedText {
  readonly text: string;
  readonly isWanted: boolean;
}

const SAMPLE = '{ "event_name": "Purchase", "event_time": 1795000000, "user_data": { "email": "…" } }';

interface PastedSourceProps extends Omit<PreviewProps, 'event'> {
  readonly pasted: PastedText;
  readonly paste: (pasted: PastedText) => void;
}

export function PastedSource({ pasted, paste, ...preview }: PastedSourceProps) {
  const id = useId();
  // The request had this text; the field may have changed since.
  const [shown, show] = useState<{ readonly text: string; readonly event: PastedEvent } | null>(null);
  const read = readPasted(pasted.text);
  const problem = 'problem' in read ? read.problem : undefined;
  return (
    <>
      <label htmlFor={id} className="mb-1 block text-sm font-bold">
        Event as JSON, as POST /v1/events takes it
      </label>
      <textarea
        id={id}
        rows={8}
        spellCheck={false}
        placeholder={SAMPLE}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={`${id}-help`}
        className={`w-full rounded-sm border bg-surface p-2 font-mono text-sm ${problem === undefined ? 'border-control' : 'border-bad'}`}
        value={pasted.text}
        onChange={({ target }) => paste({ text: target.value, isWanted: true })}
      />
      <div id={`${id}-help`} aria-live="polite">
        {problem !== undefined && <p className="foreign mt-1 text-sm text-bad">✖ {problem}</p>}
        <p className="mt-1 text-sm text-dim">It is used for this preview and kept nowhere.</p>
      </div>
      <Button
        className="my-3"
        refused={'event' in read ? undefined : (problem ?? 'Paste an event first.')}
        onClick={() => 'event' in read && show({ text: pasted.text, event: read.event as PastedEvent })}
      >
        Show the request
      </Button>
      {shown !== null && (
        <>
          {shown.text !== pasted.text && (
            <p className="mb-2 text-sm text-wait">▲ The text was changed since: show the request again.</p>
          )}
          <Preview key={shown.text} {...preview} event={{ event: shown.event }} />
        </>
      )}
    </>
  );
}
