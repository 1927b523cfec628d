// The view of changes over files that the address asks for: `?files=5000` or `?lines=100000`.
import { useState } from 'react';
import { ChangesView } from '../../../../ui/src/parts/diff/changes-view.tsx';
import type { ChangedFile, ReviewComment } from '../../../../ui/src/parts/diff/changed-file.ts';
import { changesWords } from '../../../../ui/src/words/tasks/en-changes.ts';

declare global {
  interface Window {
    changes: { loaded: string[]; sent: number };
  }
}

const asked = new URLSearchParams(location.search);
const count = Number(asked.get('files') ?? 6);
const lines = Number(asked.get('lines') ?? 0);
window.changes = { loaded: [], sent: 0 };

const endings = ['ts', 'py', 'go', 'md'];
const special: ChangedFile[] = [
  { path: 'package-lock.json', status: 'modified', added: 1, removed: 1 },
  { path: 'src/long.ts', status: 'added', added: 2_000, removed: 0 },
  { path: 'src/new name.ts', oldPath: 'src/old name.ts', status: 'renamed', added: 1, removed: 1 },
  { path: 'src/evil\u202Egnp.ts', status: 'modified', added: 1, removed: 1 },
];
const files: ChangedFile[] = [
  ...Array.from({ length: count }, (_, i) => ({
    path: `src/part${String(Math.floor(i / 20))}/file${String(i)}.${endings[i % 4] ?? 'ts'}`,
    status: 'modified' as const,
    added: 4,
    removed: 2,
  })),
  ...(lines > 0 ? [{ path: 'src/huge.txt', status: 'added' as const, added: lines, removed: 0 }] : []),
  ...special,
];

function patchOf(path: string): string {
  const file = files.find((one) => one.path === path);
  if (file !== undefined && file.added > 1_000) {
    const added = Array.from({ length: file.added }, (_, i) => `+line ${String(i + 1)} of a very long file`);
    return `diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1,${String(file.added)} @@\n${added.join('\n')}\n`;
  }
  return [
    'diff --git a/x b/x',
    '--- a/x',
    '+++ b/x',
    '@@ -38,7 +38,8 @@ export function session(options) {',
    ' import { cookie } from "./cookie.ts";',
    ' ',
    ' // The session of a person.',
    '-const cookie = { sameSite: "lax", secure: false };',
    '-const age = 12;',
    '+const cookie = { sameSite: "none", secure: true };',
    '+const age = 24;',
    '+const hidden = "\u202Eevil";',
    ' export const open = 1;',
    ' ',
    '@@ -100,3 +101,4 @@',
    ' if (a) {',
    `+  return ${'veryLong + '.repeat(30)}1;`,
    ' }',
    ' ',
    '',
  ].join('\n');
}

async function loadPatch(path: string): Promise<string> {
  window.changes.loaded.push(path);
  await Promise.resolve();
  return patchOf(path);
}

const initial: ReviewComment[] = asked.has('comments')
  ? [
      { id: 'a', path: files[0]?.path, side: 'new', line: 60, quote: 'const age = 24;', text: 'Why 24?' },
      { id: 'b', path: files[0]?.path, side: 'new', line: 60, quote: 'is gone', text: 'This was here.' },
      { id: 'c', text: 'Add a test for the http case.' },
    ]
  : [];

export function ChangesPage() {
  const [comments, setComments] = useState<readonly ReviewComment[]>(initial);
  const [draft, setDraft] = useState<ReviewComment>();
  const [viewed, setViewed] = useState<ReadonlySet<string>>(new Set());
  const [isWrapped, setWrapped] = useState(asked.has('wrap'));
  const [at, setAt] = useState<{ path: string; side?: 'old' | 'new'; line?: number } | undefined>(() => {
    const path = asked.get('file');
    return path === null ? undefined : { path, side: 'new', line: Number(asked.get('at') ?? 0) };
  });
  return (
    <ChangesView
      {...{ files, loadPatch, comments, draft, viewed, isWrapped, at }}
      words={changesWords}
      onDraft={setDraft}
      onSave={(comment) => {
        setComments([...comments.filter(({ id }) => id !== comment.id), comment]);
        setDraft(undefined);
      }}
      onDrop={(id) => {
        setComments(comments.filter((one) => one.id !== id));
        setDraft((now) => (now?.id === id ? undefined : now));
      }}
      onViewed={(path, isViewed) => {
        setViewed(isViewed ? new Set([...viewed, path]) : new Set([...viewed].filter((one) => one !== path)));
      }}
      onWrap={setWrapped}
      onFile={(path) => {
        setAt({ path });
      }}
      onLine={(path, side, line) => {
        setAt({ path, side, line });
      }}
      onSend={() => {
        window.changes.sent += 1;
      }}
    />
  );
}
