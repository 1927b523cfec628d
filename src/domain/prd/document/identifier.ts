// The rules for ids of stories and gates. They become parts of git refs and of commit trailers. runs-18.

const identifier = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/;

/** Why a text is no id; undefined for a valid one. */
export function identifierFault(text: string): string | undefined {
  const valid = identifier.test(text) && !text.includes('..') && !text.endsWith('.') && !text.endsWith('.lock');
  return valid
    ? undefined
    : 'must have 1 to 64 letters, digits, ".", "_" and "-", begin with a letter, a digit or "_", have no "..", and end neither in "." nor in ".lock"';
}
