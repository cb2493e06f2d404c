// The preview itself, for whichever event: asked for with the credentials just typed, and forgotten with this step.
import { useState } from 'react';
import { type Input, useApi, useRequest } from '#dashboard/app/api.tsx';
import { Loaded } from '#dashboard/parts/page.tsx';
import type { AvailablePlatform } from '../platform-list.ts';
import { PreviewNotices, ShownRequest } from '../shown-request.tsx';
import { credentialsOf, type Problems, useRefusedFields, type Values } from './draft.ts';

type Asked = Input<'previewPlatform'>['body'];
export type PastedEvent = NonNullable<Asked['event']>;

export interface PreviewProps {
  readonly platform: AvailablePlatform;
  readonly values: Values;
  /** The API says a field is wrong. */
  readonly refused: (problems: Problems) => void;
  readonly event: Pick<Asked, 'event' | 'event_id'>;
}

export function Preview({ platform: { platform }, values, event, refused }: PreviewProps) {
  // The key holds no credential and no event: what was asked is forgotten with this step.
  const [asked] = useState(() => crypto.randomUUID());
  const { client } = useApi();
  const body = { platform, ...event, credentials: credentialsOf(values) };
  const preview = useRequest(['connect-preview', asked], (signal) =>
    client.previewPlatform({ body }, { signal }),
  );
  useRefusedFields(preview.error, refused);
  return (
    <Loaded query={preview} rows={6}>
      {({ explanation, warnings, errors, request, label }) => (
        <div className="grid gap-4 md:grid-cols-2">
          <div className="min-w-0">
            <p className="foreign mb-2 font-bold">{explanation}</p>
            <PreviewNotices errors={errors} warnings={warnings} />
            {errors.length + warnings.length === 0 && <p className="text-good">✔ Nothing is missing.</p>}
          </div>
          <div className="min-w-0">
            <ShownRequest request={request} label={label} />
          </div>
        </div>
      )}
    </Loaded>
  );
}
