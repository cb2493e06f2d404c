// The request an event would become at a platform, and what is to be said about it; secrets come masked.
import type { Answer } from '../../app/api.tsx';
import { JsonView } from '../../parts/json.tsx';

export type Previewed = Answer<'previewPlatform'>;

export function PreviewNotices({ errors, warnings }: Pick<Previewed, 'errors' | 'warnings'>) {
  return [...errors, ...warnings].map(({ code, field, message }) => (
    <p key={`${code} ${field ?? ''}`} className="foreign py-1 text-sm text-wait">
      ▲ {message}
    </p>
  ));
}

export function ShownRequest({ request, label }: Pick<Previewed, 'request' | 'label'>) {
  if (request === null) return <p className="text-dim">No request can be made of it.</p>;
  return (
    <>
      <p className="foreign my-1 font-mono text-sm">
        {request.method} {request.url}
      </p>
      <JsonView name={`Request to ${label}`} value={request.body_json ?? request.body} />
    </>
  );
}
