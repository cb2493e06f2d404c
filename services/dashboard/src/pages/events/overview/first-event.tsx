// Overview before anything came: how the first event is sent. It turns into the figures as soon as one is there.
import { LinkButton } from '#dashboard/parts/button.tsx';
import { Panel } from '#dashboard/parts/page.tsx';

interface FirstEventProps {
  readonly steps: readonly { readonly code: string; readonly text: string }[];
}

const body = (): string =>
  JSON.stringify({
    event_id: 'order-1001',
    event_name: 'Purchase',
    event_time: Math.floor(Date.now() / 1_000),
    value: 59.98,
    currency: 'USD',
    order_id: '1001',
    event_source_url: 'https://shop.example/thanks',
    user_data: { email: 'jane@example.com' },
  });

export function FirstEvent({ steps }: FirstEventProps) {
  return (
    <Panel title="Waiting for your first event…">
      <ol className="mb-4 list-decimal pl-6">
        {steps.map(({ code, text }) => (
          <li key={code} className="py-1">
            {text}
          </li>
        ))}
      </ol>
      <p className="mb-2">Send one from a shell, with an API key in place of $API_KEY:</p>
      <pre className="foreign rounded-sm border border-line bg-ground p-3 whitespace-pre-wrap">
        {`curl -s ${location.origin}/v1/events \\\n  -H "authorization: Bearer $API_KEY" -H 'content-type: application/json' \\\n  -d '${body()}'`}
      </pre>
      <div className="mt-4 flex gap-2">
        <LinkButton to="/keys" kind="primary">
          Create an API key
        </LinkButton>
        <LinkButton to="/platforms">Connect a platform</LinkButton>
      </div>
    </Panel>
  );
}
