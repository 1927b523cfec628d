// The cookie of a sign-in session: a secret of its own that opens page files and nothing else. It is not the session's bearer
// token, because browsers send a cookie to every port of a host. choices-4, ui-6.14.

const cookieName = 'switchyard_session';

/** @param secret the session's page secret @param secure true where clients reach the service by https */
export function sessionCookie(secret: string, maxAgeSeconds: number, secure: boolean): string {
  return `${cookieName}=${secret}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
}

/** The header that removes the cookie from a browser. */
export function expiredSessionCookie(secure: boolean): string {
  return sessionCookie('', 0, secure);
}

/** The page secret in the header `Cookie`. Undefined without one, and with two: another site set the second. */
export function pageSecretOf(header: string | undefined): string | undefined {
  const [value, second] = sessionValues(header);
  return second === undefined && value !== undefined && /^cp_[\w-]{43}$/.test(value) ? value : undefined;
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
