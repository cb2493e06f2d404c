// Tokens in memory. Of a beginning that more records share than are asked for, those under the last tokens in order are given,
// as the table does. A token that was taken away leaves its version behind, as in the table, so that nobody late puts it back.
import type { SearchIndex } from '#lib/helpdesk/ports/stores.ts';

interface Entry {
  readonly version: number;
  readonly isThere: boolean;
}

export interface MemorySearch extends SearchIndex {
  /** The tokens under which a record is found. */
  tokensOf(workspaceId: string, type: string, recordId: string): readonly string[];
}

export function createMemorySearch(): MemorySearch {
  /** Workspace and type → token → record → entry. */
  const indexes = new Map<string, Map<string, Map<string, Entry>>>();
  const indexOf = (workspaceId: string, type: string) => {
    const name = JSON.stringify([workspaceId, type]);
    const index = indexes.get(name) ?? new Map<string, Map<string, Entry>>();
    indexes.set(name, index);
    return index;
  };
  return {
    change: async (workspaceId, { type, recordId, version, add, remove }) => {
      const index = indexOf(workspaceId, type);
      const set = (token: string, entry: Entry): void => {
        const records = index.get(token) ?? new Map<string, Entry>();
        if ((records.get(recordId)?.version ?? 0) > version) return;
        index.set(token, records.set(recordId, entry));
      };
      const added = new Set(add.filter((token) => token !== ''));
      for (const token of remove)
        if (token !== '' && !added.has(token)) set(token, { version, isThere: false });
      for (const token of added) set(token, { version, isThere: true });
    },

    forget: async (workspaceId, { type, recordId, tokens }) => {
      const index = indexOf(workspaceId, type);
      for (const token of tokens) index.get(token)?.delete(recordId);
    },

    find: async (workspaceId, type, { text, isPrefix }, limit) => {
      if (text === '' || limit < 1) return { ids: [], isWhole: true };
      const index = indexOf(workspaceId, type);
      const tokens = [...index.keys()].filter((token) =>
        isPrefix ? token.startsWith(text) : token === text,
      );
      const found = new Set<string>();
      for (const token of tokens.sort().reverse()) {
        const records = [...(index.get(token) ?? [])].filter(([, { isThere }]) => isThere);
        for (const [id] of records.sort(([a], [b]) => (a > b ? -1 : 1)))
          if (found.size <= limit) found.add(id);
      }
      const isWhole = found.size <= limit;
      const ids = [...found].slice(0, limit).sort((a, b) => (a > b ? -1 : 1));
      return { ids, isWhole };
    },

    tokensOf: (workspaceId, type, recordId) =>
      [...indexOf(workspaceId, type)]
        .filter(([, records]) => records.get(recordId)?.isThere === true)
        .map(([token]) => token)
        .sort(),
  };
}
