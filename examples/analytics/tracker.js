// Records what visitors of a website do. Put it on each page, beside a collector (collector.mjs) that has the token:
//   <script src="/tracker.js" data-collector="/collect" defer></script>
// It records each page view. Your pages call:
//   analytics.track('signup_started', { properties: { plan: 'pro' } });
//   analytics.identify('ada');   // after the sign-in
//   analytics.reset();           // after the sign-out: the next person here is another one
// Ask visitors first where the law demands it: the tracker stores an id in their browser.
(() => {
  const collector = document.currentScript?.dataset.collector ?? '/collect';
  const clickIds = ['gclid', 'gbraid', 'wbraid', 'fbclid', 'ttclid', 'msclkid'];
  /** Events that no answer has confirmed yet; each keeps its message id, so that it is stored once however often it is sent. */
  let waiting = [];
  let timer;

  function remembered(storage, name) {
    const known = storage.getItem(name);
    if (known !== null) return known;
    const made = crypto.randomUUID();
    storage.setItem(name, made);
    return made;
  }

  function campaign() {
    const query = new URLSearchParams(location.search);
    const named = ['source', 'medium', 'name', 'term', 'content'].map((field) => [
      field,
      query.get(field === 'name' ? 'utm_campaign' : `utm_${field}`),
    ]);
    const click = clickIds.map((name) => query.get(name)).find((id) => id !== null) ?? null;
    const found = [...named, ['click_id', click]].filter(([, text]) => text !== null);
    return found.length === 0
      ? undefined
      : Object.fromEntries(found.map(([field, text]) => [field, text.slice(0, 500)]));
  }

  function add(type, fields) {
    const user = localStorage.getItem('analytics_user');
    waiting.push({
      type,
      message_id: crypto.randomUUID(),
      timestamp: new Date().toISOString(),
      anonymous_id: remembered(localStorage, 'analytics_visitor'),
      ...(user === null ? {} : { user_id: user }),
      ...fields,
    });
    clearTimeout(timer);
    timer = setTimeout(() => void send(), 500);
  }

  function visit(fields) {
    const page = { url: location.href, path: location.pathname, title: document.title.slice(0, 500) };
    return { session_id: remembered(sessionStorage, 'analytics_session'), page, ...fields };
  }

  /** Only a page view has how the person came: each event that did would be a touch of its own. */
  function arrival(fields) {
    const { page, ...rest } = visit(fields);
    return { page: { ...page, referrer: document.referrer || undefined }, campaign: campaign(), ...rest };
  }

  async function send() {
    const batch = waiting.slice(0, 100);
    if (batch.length === 0) return;
    try {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch(collector, { method: 'POST', headers, body: JSON.stringify({ batch }) });
      // What is refused would be refused again.
      if (answer.ok || answer.status === 400) waiting = waiting.filter((event) => !batch.includes(event));
    } catch {
      // Sent again below.
    }
    if (waiting.length > 0) timer = setTimeout(() => void send(), 5000);
  }

  addEventListener('pagehide', () => {
    const body = new Blob([JSON.stringify({ batch: waiting.slice(0, 100) })], { type: 'application/json' });
    if (waiting.length > 0) navigator.sendBeacon(collector, body);
  });

  globalThis.analytics = {
    track: (event, fields) => add('track', { event, ...visit(fields) }),
    page: (fields) => add('page', arrival(fields)),
    identify: (user, traits) => {
      localStorage.setItem('analytics_user', user);
      add('identify', { user_id: user, ...(traits === undefined ? {} : { traits }) });
    },
    reset: () => {
      for (const name of ['analytics_user', 'analytics_visitor']) localStorage.removeItem(name);
      sessionStorage.removeItem('analytics_session');
    },
  };
  globalThis.analytics.page();
})();
