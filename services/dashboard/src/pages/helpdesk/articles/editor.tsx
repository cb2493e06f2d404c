// Edits an article. The form is based on the version it began with: if another person has changed the article since,
// both are shown, and nothing is overwritten without a decision.

import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useChange } from '#dashboard/app/api.tsx';
import { BroughtBack, useKept } from '#dashboard/app/kept.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Form } from '#dashboard/parts/field.tsx';
import { Failure, Notice, Panel } from '#dashboard/parts/page.tsx';
import { isOvertaken, useProblems } from '#dashboard/parts/problems.ts';
import { versioned } from '../versioned.ts';
import { type Article, changesOf, FIELDS, STATUSES, type Status, type Typed, typedOf } from './article.ts';
import { ArticleFields, ArticleText, StatusSign } from './shown.tsx';

interface Kept {
  readonly typed: Typed;
  /** The version it is based on. */
  readonly base: Typed;
  readonly etag: string;
}

interface Save {
  readonly status: Status | undefined;
  readonly over: string;
}

export function Editor({ article, reload }: { readonly article: Article; readonly reload: () => unknown }) {
  const queries = useQueryClient();
  const [kept, keep, isBack] = useKept<Kept>(`article.${article.id}`);
  // An unchanged form follows the stored article.
  const untouched = { typed: typedOf(article), base: typedOf(article), etag: article.etag };
  const { typed, base, etag } = kept ?? untouched;
  const changes = changesOf(base, typed);
  const isSame = Object.keys(changes).length === 0;
  const update = useChange(
    async ({ helpdesk }, { status, over }: Save) =>
      versioned(
        await helpdesk.updateArticle({
          params: { id: article.id },
          headers: { 'if-match': over },
          body: { ...changes, status },
        }),
      ),
    {
      refresh: ['listArticles'],
      done: (saved) => {
        keep(null);
        queries.setQueryData(['getArticle', article.id], saved);
      },
    },
  );
  const isRefused = isOvertaken(update.error);
  const problems = useProblems(isRefused ? null : update.error, FIELDS);
  useEffect(() => {
    if (isRefused) void reload();
  }, [isRefused, reload]);
  const save = (status?: Status, over = etag): void => update.send({ status, over });
  return (
    <>
      {(isRefused || etag !== article.etag) && (
        <Overtaken
          article={article}
          isTyped={!isSame}
          isKnown={etag !== article.etag}
          busy={update.isPending}
          insist={() => save(undefined, article.etag)}
          yieldTo={() => {
            update.reset();
            keep(null);
          }}
        />
      )}
      {isBack && <BroughtBack drop={() => keep(null)} />}
      <Panel title="Article" actions={<StatusSign status={article.status} />}>
        <Form
          ref={problems.form}
          send={() => {
            if (!isSame) save();
          }}
        >
          <ArticleFields
            typed={typed}
            change={(next) => keep({ typed: next, base, etag })}
            problems={problems}
          />
          <Failure error={problems.rest} />
          <Actions article={article} isSame={isSame} busy={update.isPending} save={save} />
          <output className="mt-2 block text-dim">
            {update.data && isSame ? 'Saved.' : isSame ? '' : 'Not saved yet; kept in this tab.'}
          </output>
        </Form>
      </Panel>
    </>
  );
}

interface ActionsProps {
  readonly article: Article;
  readonly isSame: boolean;
  readonly busy: boolean;
  readonly save: (status: Status) => void;
}

/** Save, and one button for each other status: typed text is saved with it. */
function Actions({ article: { status }, isSame, busy, save }: ActionsProps) {
  const verbs = { published: 'Publish', draft: 'Make it a draft', archived: 'Archive' };
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      <Button type="submit" kind="primary" busy={busy} refused={isSame ? 'Nothing was changed.' : undefined}>
        Save
      </Button>
      {STATUSES.filter((other) => other !== status).map((other) => (
        <Button key={other} busy={busy} onClick={() => save(other)}>
          {verbs[other]}
        </Button>
      ))}
    </div>
  );
}

interface OvertakenProps {
  readonly article: Article;
  readonly isTyped: boolean;
  /** The other person's version is loaded. */
  readonly isKnown: boolean;
  readonly busy: boolean;
  readonly insist: () => void;
  readonly yieldTo: () => void;
}

function Overtaken({ article, isTyped, isKnown, busy, insist, yieldTo }: OvertakenProps) {
  return (
    <Notice tone="bad">
      <p>
        <b>Somebody else changed this article meanwhile.</b>{' '}
        {isTyped ? 'What you typed is still below, and was not saved.' : 'Nothing of it was changed by you.'}
      </p>
      {isTyped && isKnown && (
        <details className="mt-2">
          <summary>The article as it is now</summary>
          <div className="mt-2 rounded-md border border-line bg-surface p-3">
            <ArticleText article={article} />
          </div>
        </details>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        {isTyped && isKnown && (
          <Button busy={busy} onClick={insist}>
            Save mine all the same
          </Button>
        )}
        <Button onClick={yieldTo}>{isTyped ? 'Take theirs, drop mine' : 'I have seen it'}</Button>
      </div>
    </Notice>
  );
}
