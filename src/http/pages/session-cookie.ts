// The cookie of a sign-in session. It opens page files and nothing else: no operation looks at it. choices-4.

const cookieName = 'switchyard_session';

/** @param secure true where the service is reached by https */
export function sessionCookie(token: string, maxAgeSeconds: number, secure: boolean): string {
  return `${cookieName}=${token}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
}

/** Takes the cookie away from a browser. */
export function expiredSessionCookie(secure: boolean): string {
  return sessionCookie('', 0, secure);
}

/** The session's token in the header `Cookie`; undefined without one, and with two: somebody else set the second. */
export function sessionTokenOf(header: string | undefined): string | undefined {
  const [value, second] = sessionValues(header);
  return second === undefined && value !== undefined && /^cs_[\w-]{43}$/.test(value) ? value : undefined;
}

/** Whether a browser sent such a cookie, good or not. From other sites' links it sends none and keeps the one it has. */
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
