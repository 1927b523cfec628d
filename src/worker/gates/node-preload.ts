// The module that node programs of a gate load before any file of the repository: it freezes the assertions. runs-18.

/** A repository's source could otherwise replace `assert.equal` by a function that never throws. */
const source = [
  "import assert from 'node:assert';",
  'for (const one of new Set([assert, assert.strict])) {',
  "  for (const member of Object.values(one)) if (typeof member === 'function') Object.freeze(member);",
  '  Object.freeze(one);',
  '}',
].join('\n');

/** The value of `NODE_OPTIONS`: a module without a file, which nothing on the disk can replace. Node 18.18 or newer. */
export const nodePreload = `--import=data:text/javascript;base64,${Buffer.from(source).toString('base64')}`;
