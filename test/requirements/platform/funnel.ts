// The requirements of funnels and attribution.
import { requirements } from '../requirement.ts';

export const platformFunnel = [
  ...requirements('platform-5.2', 'insight', {
    'platform-5.2.20': 'Funnels are listed, written and deleted; default is there from the start with seven steps.',
    'platform-5.2.21': 'GET /funnel answers counts, rates and the median of the days asked for; an unknown one is 404.',
    'platform-5.2.22': 'Rates are fractions with four decimals, and null where the denominator is 0.',
    'platform-5.2.23': 'GET /attribution/{user_id} answers touches, conversions and credits; an unknown user is 404.',
    'platform-5.2.24': 'The command line shows funnels, counts one, shows an attribution and erases a user.',
    'platform-5.2.25': 'A page of the monitor shows a funnel as a picture.',
  }),
  ...requirements('platform-5.3', 'insight', {
    'platform-5.3.1':
      'The person of an event is its user, else the user of its visitor at its time, whatever arrived first.',
    'platform-5.3.2': 'Before its first identification a visitor is the first user; without any it is itself.',
    'platform-5.3.3': 'The second user of a shared computer does not get the past of the first one.',
    'platform-5.3.4': 'A funnel equals a search over all chains, in random cases.',
    'platform-5.3.5':
      'A touch is an event with a campaign, a click id or a foreign referrer, or a page view that begins a session.',
    'platform-5.3.6': 'The first rule that fits decides the channel; an operator may replace the list of hosts.',
    'platform-5.3.7': 'Touches count from at - lookback to at, both included.',
    'platform-5.3.8': 'The models are first, last, last non-direct, linear, position and time decay.',
    'platform-5.3.9': 'Credits sum to 1 and values to the value of the conversion, by largest remainder.',
    'platform-5.3.10': 'A conversion without a touch has no credit.',
  }),
];
