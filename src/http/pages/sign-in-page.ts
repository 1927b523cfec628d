// The sign-in page, shown to an unauthenticated browser: it exchanges a pasted token, or the one-time code in the fragment
// of the address, for a session. choices-4, ui-7.4.
import { cspHash } from '../../lib/digest.ts';
import { pageHeaders } from './page-headers.ts';
import { pageTokens } from './page-tokens.ts';

// The page is self-contained: a browser without a session gets no other file. A link from another site comes without the
// cookie (SameSite=Strict), so the page opens the same address once itself: that navigation is of the same site. ui-6.14.9.

const style = `${pageTokens}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 20px; background: var(--ground);
  color: var(--ink); font: 14px/20px var(--words); }
main { width: 100%; max-width: 400px; padding: 24px; background: var(--paper); border: 1px solid var(--line);
  border-radius: 3px; }
h1 { margin: 0 0 4px; font-size: 20px; line-height: 26px; font-weight: 650; }
p { margin: 0 0 20px; color: var(--soft); }
label { display: block; margin-bottom: 4px; font-weight: 600; }
input { width: 100%; min-height: 32px; padding: 4px 8px; font: inherit; color: inherit; background: var(--ground);
  border: 1px solid var(--edge); border-radius: 3px; }
button { width: 100%; min-height: 32px; margin-top: 12px; padding: 4px 12px; font: inherit; font-weight: 600;
  cursor: pointer; color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent);
  border-radius: 3px; }
button:disabled { opacity: 0.6; cursor: progress; }
:is(input, button):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
#wrong { margin: 12px 0 0; color: var(--bad); }
#wrong:empty { display: none; }
small { display: block; margin-top: 20px; font-size: 12px; line-height: 16px; color: var(--soft); }
code { font: 12px/16px var(--code); }
@media (pointer: coarse) { input, button { min-height: 44px; font-size: 16px; } }
`;

// The code leaves the address before anything else runs: a later error cannot leave it in the browser's history.
const script = `
const code = new URLSearchParams(location.hash.slice(1)).get('code');
if (code !== null) history.replaceState(history.state, '', location.pathname + location.search);
const form = document.querySelector('form');
const field = document.querySelector('input');
const button = document.querySelector('button');
const wrong = document.querySelector('#wrong');
const messages = {
  401: 'This token is not valid. Check that you pasted all of it.',
  429: 'Too many wrong tokens were sent from this address. Wait a minute, then try again.',
  503: 'The service cannot check tokens right now. Try again shortly.',
};
const usedCode = 'This one-time token is not valid: it was used already, or its two minutes are over. '
  + 'Make another with: switchyard open. Or paste a token.';
const openPage = () => location.replace(location.pathname + location.search);
const triedAt = 'switchyard_tried_at';
function mayTryAgain() {
  try {
    const last = Number(sessionStorage.getItem(triedAt));
    sessionStorage.setItem(triedAt, String(Date.now()));
    return Date.now() - last > 60000;
  } catch {
    return false;
  }
}
async function signIn(token) {
  const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' };
  const answer = await fetch('/v1/auth/sessions', { method: 'POST', headers, body: '{}' });
  const body = await answer.json();
  if (answer.status !== 201) return messages[answer.status] ?? body.detail ?? 'Sign-in failed. Try again.';
  const { session_id, access_token, expires_at } = body;
  sessionStorage.setItem('switchyard_session', JSON.stringify({ session_id, access_token, expires_at }));
  return '';
}
async function submit(token) {
  button.disabled = true;
  wrong.textContent = '';
  try {
    wrong.textContent = /^[\\x21-\\x7e]+$/.test(token) ? await signIn(token) : messages[401];
  } catch {
    wrong.textContent = 'The service cannot be reached. Try again shortly.';
  }
  button.disabled = false;
  if (wrong.textContent === '') {
    field.value = '';
    openPage();
    return;
  }
  if (token === code && wrong.textContent === messages[401]) wrong.textContent = usedCode;
  field.setAttribute('aria-invalid', 'true');
  field.focus();
}
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  await submit(field.value.trim());
});
if (code !== null) submit(code);
else if (document.body.dataset.retry === 'always' || (document.body.dataset.retry === 'once' && mayTryAgain())) openPage();
`;

const pageHtml = (retry: Retry): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Sign in · Switchyard</title>
<style>${style}</style>
</head>
<body data-retry="${retry}">
<main>
<h1>Sign in to Switchyard</h1>
<p>Paste an access token or an API key. This browser stays signed in for at most twelve hours.</p>
<form method="post" aria-describedby="wrong">
<label for="token">Token</label>
<input id="token" name="token" type="password" required autofocus autocomplete="current-password" spellcheck="false"
  autocapitalize="none" aria-describedby="wrong">
<button type="submit">Sign in</button>
<p id="wrong" role="alert"></p>
</form>
<noscript><p>Sign-in needs JavaScript: the token is sent in a header, never in the URL.</p></noscript>
<small>No token yet? Ask the operator of this service, or create one with <code>switchyard key create</code>.</small>
</main>
<script>${script}</script>
</body>
</html>
`;

/**
 * Whether the page opens the same address once more before it asks for a token. `always`: the service sees which navigation is
 * the second one. `once`: it does not, so the page remembers it.
 */
type Retry = 'never' | 'once' | 'always';

export interface SignInPage {
  readonly headers: Readonly<Record<string, string>>;
  html(retry: Retry): string;
}

/** The page and its security headers. */
export function renderSignInPage(): SignInPage {
  const sources = { scripts: `'${cspHash(script)}'`, styles: `'${cspHash(style)}'` };
  const pages = { never: pageHtml('never'), once: pageHtml('once'), always: pageHtml('always') };
  return {
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', ...pageHeaders(sources) },
    html: (retry) => pages[retry],
  };
}

/**
 * The browser withholds its cookie after a link of another site, and sends it with the page's own navigation.
 * @param site `Sec-Fetch-Site`, which browsers send to https and loopback addresses only
 */
export function retryOf(site: string | undefined): Retry {
  if (site === undefined) return 'once';
  return site === 'cross-site' || site === 'same-site' ? 'always' : 'never';
}
