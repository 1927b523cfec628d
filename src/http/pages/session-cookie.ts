// The cookie of a sign-in session. It grants access to page files only: no operation reads it. choices-4.

const cookieName = 'switchyard_session';

/** @param secure true where clients reach the service by https */
export function sessionCookie(token: string, maxAgeSeconds: number, secure: boolean): string {
  return `${cookieName}=${token}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
}

/** The header that removes the cookie from a browser. */
export function expiredSessionCookie(secure: boolean): string {
  return sessionCookie('', 0, secure);
}

/** The session token in the header `Cookie`. Undefined without one, and with two: another site set the second. */
export function sessionTokenOf(header: string | undefined): string | undefined {
  const [value, second] = sessionValues(header);
  return second === undefined && value !== undefined && /^cs_[\w-]{43}$/.test(value) ? value : undefined;
}

/** Whether the browser sent the cookie, valid or not. It sends none when it follows a link from another site. */
export function hasSessionCookie(header: string | undefined): boolean {
  return sessionValues(header).length > 0;
}

function sessionValues(header = ''): string[] {
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${cookieName}=`))
    .map((pair) => pair.slice(cookieName.length + 1));
}
