// This deployment has no language model: what that means, and the settings an operator can use.
import { Button } from '#dashboard/parts/button.tsx';
import { Panel } from '#dashboard/parts/page.tsx';

const WAYS = [
  ['Bedrock, in your AWS account', 'npm run deploy -- -c aiProvider=bedrock -c aiModel=<model>'],
  [
    'Anthropic, with a key in Parameter Store',
    'npm run deploy -- -c aiProvider=anthropic -c aiModel=<model> -c aiApiKeyParameter=<name>',
  ],
  [
    'Any server that speaks OpenAI’s protocol',
    'npm run deploy -- -c aiProvider=openai-compatible -c aiModel=<model> -c aiBaseUrl=<address>',
  ],
  [
    'On a laptop, such as with Ollama',
    'AI_PROVIDER=openai-compatible AI_MODEL=<model> AI_BASE_URL=http://127.0.0.1:11434/v1 npm start',
  ],
] as const;

export function NotConfigured({ again }: { readonly again: () => void }) {
  return (
    <Panel title="No assistant is configured here">
      <div role="status">
        <p>
          This deployment has no language model, so nobody answers. Nothing else needs one: every figure has a
          page of its own.
        </p>
        <p className="mt-3">Whoever runs it chooses one of these, and deploys:</p>
      </div>
      <dl className="my-4 grid gap-3">
        {WAYS.map(([name, command]) => (
          <div key={name}>
            <dt className="font-bold">{name}</dt>
            <dd>
              <code className="foreign block rounded-sm border border-line bg-ground p-2">{command}</code>
            </dd>
          </div>
        ))}
      </dl>
      <Button onClick={again}>Ask again</Button>
    </Panel>
  );
}
