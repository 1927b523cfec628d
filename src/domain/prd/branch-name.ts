// The rules for names of branches: git's own (git-check-ref-format), and two of ours. runs-6.1, runs-18.

const maxNameLength = 200;
/** A part of a name is a file name for git, which adds ".lock" to it; file systems allow 255 bytes. */
const maxPartBytes = 240;
/** Characters that git forbids: control characters, space, and those with a meaning in revisions and patterns. */
// oxlint-disable-next-line no-control-regex
const forbidden = /[\u0000-\u0020\u007f~^:?*[\\]/;

/** Why a text is no name of a branch, as a sentence; undefined for a valid one. The name is judged without a prefix. */
export function branchNameFault(name: string): string | undefined {
  if (name === '') return 'The branch name is empty.';
  if (name.length > maxNameLength) return `The branch name has more than ${maxNameLength} characters.`;
  if (name.startsWith('-')) return 'A branch name does not begin with "-".';
  if (name === 'HEAD') return 'HEAD is no name for a branch.';
  return refFault(name);
}

/** Whether a text can begin the name of a branch, as `ralph/` does. The empty text can. */
export function isBranchPrefix(prefix: string): boolean {
  return branchNameFault(`${prefix}x`) === undefined;
}

/** The branch of a run: the name, with the prefix before it unless it begins so already. */
export function withBranchPrefix(name: string, prefix: string): string {
  return name.startsWith(prefix) ? name : `${prefix}${name}`;
}

function refFault(name: string): string | undefined {
  if (!name.isWellFormed() || forbidden.test(name))
    return 'A branch name has no spaces, no control characters and none of ~ ^ : ? * [ \\.';
  if (name.includes('..') || name.includes('@{') || name === '@') return 'A branch name has no ".." and no "@{".';
  if (name.endsWith('.')) return 'A branch name does not end in ".".';
  const parts = name.split('/');
  if (parts.includes('')) return 'A branch name neither begins nor ends with "/", and has no "//".';
  if (parts.some((part) => part.startsWith('.') || part.endsWith('.lock')))
    return 'No part of a branch name begins with "." or ends in ".lock".';
  if (parts.some((part) => Buffer.byteLength(part) > maxPartBytes))
    return `A part of a branch name has at most ${maxPartBytes} bytes.`;
  return undefined;
}
