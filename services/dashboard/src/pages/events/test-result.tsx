// What a platform answered to a test event.
import type { Answer } from '../../app/api.tsx';
import { JsonView } from '../../parts/json.tsx';

type Result = Answer<'testPlatform'>;

const STAGES = {
  credentials: 'The credentials are not complete; nothing was sent.',
  token: 'The platform gave no access token for these credentials.',
  event: 'The platform answered the test event.',
} as const;

export function TestResult({ result }: { readonly result: Result }) {
  const { ok, stage, http_status, latency_ms, outcomes, warnings, request, response } = result;
  return (
    <div role="status" className="mt-3 rounded-md border border-line p-3">
      <p className={`font-bold ${ok ? 'text-good' : 'text-bad'}`}>
        {ok ? '✔ The platform took the test event.' : `✖ ${STAGES[stage]}`}
      </p>
      <p className="text-sm text-dim">
        {http_status !== undefined && <>HTTP {http_status}</>}
        {latency_ms !== null && <> in {Math.round(latency_ms)} ms</>}
      </p>
      {outcomes
        .filter(({ message, code }) => message !== undefined || code !== undefined)
        .map(({ event_id, outcome, code, message }) => (
          <p key={event_id} className="foreign text-sm">
            {outcome}
            {code && <> · {code}</>}
            {message && <> · {message}</>}
          </p>
        ))}
      {warnings.map(({ code, field, message }) => (
        <p key={`${code} ${field ?? ''}`} className="foreign text-sm text-wait">
          ▲ {message}
        </p>
      ))}
      <details className="mt-2">
        <summary className="text-sm">Request and answer</summary>
        {request && <JsonView name="Request" value={request.body_json ?? request.body} />}
        {response && <JsonView name="Answer" value={response.body} />}
      </details>
    </div>
  );
}
