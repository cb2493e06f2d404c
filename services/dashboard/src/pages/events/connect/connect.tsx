// Connecting a platform in four steps, built from what the API says it asks for: a platform that comes later needs no change
// here. Steps are URLs. Nothing is sent to the platform before the last one.
// Guarantees: a secret is in no URL and in no storage, and gone when the page is left; the rest of what was typed stays for
// this tab. Refuses nothing by itself: what is wrong the API says, at its field.
import { useState } from 'react';
import { useRefusal } from '#dashboard/app/account.ts';
import { Empty, Loaded, Notice, Page } from '#dashboard/parts/page.tsx';
import { useUrlState } from '#dashboard/parts/url-state.ts';
import { type AvailablePlatform, usePlatforms } from '../platform-list.ts';
import { ChoosePlatform } from './choose.tsx';
import { CredentialForm } from './credential-form.tsx';
import { forgetDraft, type Problems, readDraft, type Values, writeDraft } from './draft.ts';
import { GoLive } from './go-live.tsx';
import type { PastedText } from './pasted-source.tsx';
import { PreviewStep } from './preview-step.tsx';

const STEPS = [
  ['choose', 'Choose'],
  ['credentials', 'Credentials'],
  ['preview', 'Preview'],
  ['test', 'Test and go live'],
] as const;
type Step = (typeof STEPS)[number][0];

export default function ConnectPage() {
  const [{ platform: slug, step: wanted }] = useUrlState();
  const platforms = usePlatforms();
  const refusal = useRefusal('connectPlatform');
  const step: Step =
    slug === undefined ? 'choose' : (STEPS.find(([name]) => name === wanted)?.[0] ?? 'credentials');
  return (
    <Page title="Connect a platform">
      <Progress step={step} />
      {refusal !== undefined && <Notice tone="plain">{refusal}</Notice>}
      <Loaded query={platforms} rows={6}>
        {(list) => {
          if (step === 'choose') return <ChoosePlatform list={list} />;
          const platform = list.available.find((one) => one.platform === slug);
          if (platform === undefined) return <Empty title="There is no such platform" />;
          return <Steps key={platform.platform} platform={platform} step={step} />;
        }}
      </Loaded>
    </Page>
  );
}

function Progress({ step }: { readonly step: Step }) {
  return (
    <ol className="mb-6 flex flex-wrap gap-x-6 gap-y-1" aria-label="Steps">
      {STEPS.map(([name, title], index) => (
        <li
          key={name}
          aria-current={name === step ? 'step' : undefined}
          className={name === step ? 'font-bold' : 'text-dim'}
        >
          {index + 1}. {title}
        </li>
      ))}
    </ol>
  );
}

interface StepsProps {
  readonly platform: AvailablePlatform;
  readonly step: Exclude<Step, 'choose'>;
}

function Steps({ platform, step }: StepsProps) {
  const [values, setValues] = useState<Values>(() => readDraft(platform));
  const [problems, setProblems] = useState<Problems>({});
  const [pasted, paste] = useState<PastedText>({ text: '', isWanted: false });
  const [, change] = useUrlState();
  const to = (next: Step): void => change({ step: next });
  const lacksSecrets = platform.fields.some(({ name, required }) => required && values[name] === undefined);
  // A reload forgets secrets: they are asked for again.
  const shown = step !== 'credentials' && lacksSecrets ? 'credentials' : step;
  if (shown === 'preview')
    return (
      <PreviewStep
        platform={platform}
        values={values}
        pasted={pasted}
        paste={paste}
        back={() => to('credentials')}
        next={() => to('test')}
        refused={refuse}
      />
    );
  if (shown === 'test')
    return (
      <GoLive
        platform={platform}
        values={values}
        back={() => to('preview')}
        refused={refuse}
        done={() => forgetDraft(platform)}
      />
    );
  function refuse(found: Problems): void {
    setProblems(found);
    to('credentials');
  }
  return (
    <CredentialForm
      platform={platform}
      values={values}
      problems={problems}
      change={(name, value) => {
        const next = { ...values, [name]: value };
        if (value === undefined) delete next[name];
        setValues(next);
        setProblems({ ...problems, [name]: undefined });
        writeDraft(platform, next);
      }}
      back={() => change({ platform: '', step: '' })}
      next={() => to('preview')}
    />
  );
}
