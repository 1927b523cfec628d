// The sign-in page, shown to an unauthenticated browser: it exchanges a pasted token for a session. choices-4.
import { cspHash } from '../../lib/digest.ts';
// The page is self-contained, so its content security policy allows only its own style and script.

const style = `
:root { color-scheme: light dark; --ink: #16202c; --soft: #52606f; --line: #c3ccd6; --paper: #ffffff; --ground: #f2f4f7;
  --accent: #0b5cad; --on-accent: #ffffff; --wrong: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8edf2; --soft: #a3b0bd; --line: #45525f; --paper: #1a222b;
  --ground: #10161d; --accent: #8cc2ff; --on-accent: #06233f; --wrong: #ffb4ab; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--ground);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 26rem; padding: 2rem; background: var(--paper); border: 1px solid var(--line);
  border-radius: 0.75rem; }
h1 { margin: 0 0 0.25rem; font-size: 1.5rem; line-height: 1.2; }
p { margin: 0 0 1.5rem; color: var(--soft); }
label { display: block; margin-bottom: 0.375rem; font-weight: 600; }
input { width: 100%; padding: 0.625rem 0.75rem; font: inherit; color: inherit; background: var(--ground);
  border: 1px solid var(--line); border-radius: 0.5rem; }
button { width: 100%; margin-top: 1rem; padding: 0.625rem; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 0; border-radius: 0.5rem; }
button:disabled { opacity: 0.6; cursor: progress; }
:is(input, button):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
#wrong { margin: 0.75rem 0 0; color: var(--wrong); }
#wrong:empty { display: none; }
small { display: block; margin-top: 1.5rem; color: var(--soft); }
`;

const script = `
const form = document.querySelector('form');
const field = document.querySelector('input');
const button = document.querySelector('button');
const wrong = document.querySelector('#wrong');
const messages = {
  401: 'This token is not valid. Check that you pasted all of it.',
  429: 'Too many wrong tokens were sent from this address. Wait a minute, then try again.',
  503: 'The service cannot check tokens right now. Try again shortly.',
};
async function signIn(token) {
  const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' };
  const answer = await fetch('/v1/auth/sessions', { method: 'POST', headers, body: '{}' });
  const body = await answer.json();
  if (answer.status !== 201) return messages[answer.status] ?? body.detail ?? 'Sign-in failed. Try again.';
  const { session_id, access_token, expires_at } = body;
  sessionStorage.setItem('switchyard_session', JSON.stringify({ session_id, access_token, expires_at }));
  return '';
}
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  button.disabled = true;
  wrong.textContent = '';
  const token = field.value.trim();
  try {
    wrong.textContent = /^[\\x21-\\x7e]+$/.test(token) ? await signIn(token) : messages[401];
  } catch {
    wrong.textContent = 'The service cannot be reached. Try again shortly.';
  }
  button.disabled = false;
  if (wrong.textContent === '') {
    field.value = '';
    location.reload();
    return;
  }
  field.setAttribute('aria-invalid', 'true');
  field.focus();
});
`;

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Sign in · Switchyard</title>
<style>${style}</style>
</head>
<body>
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

export interface SignInPage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The page and its security headers. */
export function renderSignInPage(): SignInPage {
  const policy = [
    `default-src 'none'`,
    `style-src '${cspHash(style)}'`,
    `script-src '${cspHash(script)}'`,
    `connect-src 'self'`,
    // The script sends the token; the form itself must never put it into the URL.
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
  ];
  return {
    html,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      vary: 'Accept, Authorization, Cookie',
    },
  };
}
