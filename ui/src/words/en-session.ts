// Words of signing in and out.
import { catalogue, count } from './catalogue.ts';

export const sessionWords = catalogue({
  title: 'Sign in to Switchyard',
  expiredTitle: 'Sign in again',
  text: 'Paste an access token or an API key. The page stays as it is.',
  token: 'Token',
  signIn: 'Sign in',
  signOut: 'Sign out',
  invalidToken: 'This token is not valid. Check that you pasted all of it.',
  renewTitle: 'Sign in again',
  renewed: 'You are signed in again.',
  endsSoon: (minutes: number) => `This session ends in ${count(minutes, 'minute', 'minutes')}.`,
  stay: 'Sign in again now',
});
