// The patch of a seeded task: changed, added, deleted and renamed files, a binary one and a lock file.

/** As a worker's `diff` artifact holds it. @param text what a path and an added line say, in place of their plain texts */
export function seedPatch(text: (field: string, plain: string) => string = (_, plain) => plain): string {
  const added = text('diff.line', "  sameSite: 'none',").replaceAll('\n', ' ');
  const path = text('diff.path', 'test/login.spec.ts');
  return `${[
    'diff --git a/src/server/session.ts b/src/server/session.ts',
    'index 1111111..2222222 100644',
    '--- a/src/server/session.ts',
    '+++ b/src/server/session.ts',
    '@@ -40,5 +40,6 @@ export function session() {',
    '   const secret = read();',
    '   const cookie = {',
    "-  sameSite: 'lax',",
    `+${added}`,
    '+  secure: true,',
    '   path: "/",',
    '   };',
    `diff --git ${quotePath(`a/${path}`)} ${quotePath(`b/${path}`)}`,
    'new file mode 100644',
    'index 0000000..3333333',
    '--- /dev/null',
    `+++ ${quotePath(`b/${path}`)}`,
    '@@ -0,0 +1,3 @@',
    "+it('logs in', async () => {",
    '+  await login();',
    '+});',
    'diff --git a/src/old.ts b/src/old.ts',
    'deleted file mode 100644',
    'index 4444444..0000000',
    '--- a/src/old.ts',
    '+++ /dev/null',
    '@@ -1,2 +0,0 @@',
    '-export const a = 1;',
    '-export const b = 2;',
    'diff --git a/src/names.ts b/src/labels.ts',
    'similarity index 100%',
    'rename from src/names.ts',
    'rename to src/labels.ts',
    'diff --git a/logo.png b/logo.png',
    'index 5555555..6666666 100644',
    'Binary files a/logo.png and b/logo.png differ',
    'diff --git a/package-lock.json b/package-lock.json',
    'index 7777777..8888888 100644',
    '--- a/package-lock.json',
    '+++ b/package-lock.json',
    '@@ -1,3 +1,3 @@',
    ' {',
    '-  "version": "1.0.0",',
    '+  "version": "1.0.1",',
    ' }',
  ].join('\n')}\n`;
}

/** A path as git writes it: in quotes where it holds a control character, a quote or a backslash. */
function quotePath(path: string): string {
  if (!/[\p{Cc}"\\]/u.test(path)) return path;
  const escaped = path.replaceAll(/[\p{Cc}"\\]/gu, (character) =>
    /["\\]/.test(character) ? `\\${character}` : `\\${(character.codePointAt(0) ?? 0).toString(8).padStart(3, '0')}`,
  );
  return `"${escaped}"`;
}
